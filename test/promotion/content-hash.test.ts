import { expect, test } from 'vitest';
import { yamlDocument } from '../../src/compiler/emit/yaml.ts';
import { markerOf } from '../../src/promotion/decide/content-hash.ts';

test('the content hash of a file is read in any form in which it is written', () => {
  // The second and the third look like numbers, and are quoted.
  for (const hash of ['a123456789abcdef', '5e66966856412345', '0123456789012345']) {
    const annotations = { 'fleetwright.dev/content-hash': hash };
    const text = yamlDocument({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'b', annotations },
    });
    expect(markerOf(text)).toBe(hash);
    expect(markerOf(text.replaceAll('"', "'"))).toBe(hash);
  }
  expect(markerOf('kind: ConfigMap\n')).toBe('unmarked');
});
