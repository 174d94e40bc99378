import { expect, test } from 'vitest';
import type { JsonMap } from '../../../src/base/json/json-map.ts';
import { refusedChanges } from '../../../src/ocm/clusters/immutable-fields.ts';

const strategy = (type: string | undefined, rollingUpdate?: JsonMap): JsonMap => ({
  spec: { strategy: { type, rollingUpdate } },
});
const recreate = strategy('Recreate');

test.each<[string, JsonMap, JsonMap, readonly string[]]>([
  [
    'apps/Deployment',
    { spec: {} },
    recreate,
    [
      'spec.strategy.type cannot become Recreate with ServerSideApply, because the defaults in spec.strategy.rollingUpdate stay',
    ],
  ],
  ['apps/Deployment', strategy(undefined, { maxSurge: 1 }), recreate, [expect.stringContaining('Recreate')]],
  // the manager owns both, and gives them up
  ['apps/Deployment', strategy('RollingUpdate', { maxSurge: 1, maxUnavailable: 0 }), recreate, []],
  ['apps/Deployment', recreate, recreate, []],
  ['apps/Deployment', recreate, { spec: {} }, []],
  [
    'apps/StatefulSet',
    { spec: {} },
    { spec: { updateStrategy: { type: 'OnDelete' } } },
    [expect.stringContaining('spec.updateStrategy.type cannot become OnDelete')],
  ],
  // which may have both
  ['apps/DaemonSet', { spec: {} }, { spec: { updateStrategy: { type: 'OnDelete' } } }, []],
])('of a %s, defaults of the API server stay with server-side apply: %j -> %j', (kind, from, to, words) => {
  expect(refusedChanges(kind, from, to, 'ServerSideApply').map((change) => change.words)).toEqual(words);
  expect(refusedChanges(kind, from, to, 'Update')).toEqual([]);
});
