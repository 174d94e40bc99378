import { expect, test } from 'vitest';
import { ignoredSteps, pathSteps } from '../../../src/ocm/clusters/ignored-fields.ts';

test.each([
  ['jsonPaths', '.spec.replicas', ['spec', 'replicas']],
  ['jsonPaths', '$.spec.replicas', ['spec', 'replicas']],
  ['jsonPaths', '.spec', ['spec']],
  ['jsonPaths', 'spec.replicas', 'nothing'],
  ['jsonPaths', 'spec', 'nothing'],
  ['jsonPaths', '.spec.containers[0]', 'nothing'],
  ['jsonPaths', ".metadata.annotations['a/b']", 'nothing'],
  ['jsonPaths', '.spec.containers[*].image', 'unknown'],
  ['jsonPointers', '/spec/replicas', ['spec', 'replicas']],
  ['jsonPointers', '/metadata/annotations/example.com~1a~0b', ['metadata', 'annotations', 'example.com/a~b']],
  ['jsonPointers', 'spec/replicas', 'nothing'],
  ['jqPathExpressions', '.spec.replicas', ['spec', 'replicas']],
  ['jqPathExpressions', '.spec.containers[]', 'unknown'],
] as const)('%s %s', (list, path, steps) => {
  expect(pathSteps(list, path)).toEqual(steps);
});

test('fields are left out while the object exists, and not with OnSpokeChange', () => {
  const lists = { jsonPaths: ['.a', 'b'], jsonPointers: ['/c'], jqPathExpressions: ['.d[]', '.e'] };
  expect(ignoredSteps({ condition: 'OnSpokePresent', ...lists })).toEqual([['a'], ['c'], ['e']]);
  expect(ignoredSteps({ condition: 'OnSpokeChange', ...lists })).toEqual([]);
});
