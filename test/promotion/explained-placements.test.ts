import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import type { Promotion } from '../../src/promotion/decide/promotion.ts';
import { isExplained } from '../../src/promotion/git/explained-placements.ts';
import type { Referent } from '../../src/ocm/referent.ts';

const config = (name: string): Referent => ({
  group: 'addon.open-cluster-management.io',
  resource: 'addondeploymentconfigs',
  namespace: 'default',
  name,
});

/** An add-on whose placements name these configurations. */
function addOn(placements: Readonly<Record<string, string>>, more: object = {}): KubernetesObject {
  const entries = Object.entries(placements).map(([name, of]) => ({
    name,
    namespace: 'default',
    configs: [config(of)],
    ...more,
  }));
  return {
    apiVersion: 'addon.open-cluster-management.io/v1alpha1',
    kind: 'ClusterManagementAddOn',
    metadata: { name: 'hello' },
    spec: { installStrategy: { type: 'Placements', placements: entries } },
  };
}

const cluster = { addOn: 'hello', placement: 'default/all', clusters: { c1: 'x' }, configs: [config('v2')] };
const promotion = {
  app: 'hello',
  spec: {},
  status: { release: { hash: 'h', source: 's', base: 'b', released: 1, gates: {}, waves: [[cluster]] } },
} as unknown as Promotion;

const ofSources = addOn({ all: 'v3', late: 'v3' });

test.each([
  ['the earlier output', { all: 'v1' }, true],
  ['the release in progress', { all: 'v2' }, true],
  ['the sources', { all: 'v3', late: 'v3' }, true],
  ['neither', { all: 'v4' }, false],
  ['no placement of the sources', { all: 'v1', other: 'v1' }, false],
])('placements with the content of %s', (_, placements, expected) => {
  const earlier = addOn({ all: 'v1' });
  expect(isExplained(promotion, { committed: addOn(placements), earlier, ofSources })).toBe(expected);
});

test('a promotion holds back no rollout strategy', () => {
  const committed = addOn({ all: 'v1' }, { rolloutStrategy: { type: 'All' } });
  expect(isExplained(promotion, { committed, earlier: addOn({ all: 'v1' }), ofSources })).toBe(false);
});

test('without a promotion nothing is held back', () => {
  const committed = addOn({ all: 'v1' });
  expect(isExplained(undefined, { committed, earlier: committed, ofSources })).toBe(false);
});
