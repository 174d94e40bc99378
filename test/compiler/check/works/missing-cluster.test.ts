import { describe, expect, test } from 'vitest';
import { findings } from '../check-fixture.ts';
import { configMap, fleet, object, texts } from '../cluster/cluster-fixture.ts';

const spec = { workload: { manifests: [configMap('a')] } };
const workIn = (namespace: string): object =>
  object('work.open-cluster-management.io/v1', 'ManifestWork', 'w', namespace, { spec });

describe('FW8338', () => {
  test('a work in a namespace that is not one of a cluster', () => {
    expect(texts('FW8338', workIn('c12345'))).toMatchInlineSnapshot(`
      [
        "warning: ManagedCluster "c12345" does not exist, so no agent reads this ManifestWork
      ManifestWork w at metadata.namespace
      correct the namespace, create the ManagedCluster, or list it under external in fleetwright.yaml if the hub has it",
      ]
    `);
    expect(texts('FW8338', workIn('c1'))).toEqual([]);
  });
  test('an add-on', () => {
    const addOn = object('addon.open-cluster-management.io/v1beta1', 'ManagedClusterAddOn', 'a', 'default', {
      spec: {},
    });
    expect(texts('FW8338', addOn)[0]).toContain(
      'ManagedCluster "default" does not exist, so no agent reads this ManagedClusterAddOn',
    );
  });
  test('a cluster that the hub has for another reason is listed under external', () => {
    const external = [
      { group: 'cluster.open-cluster-management.io', kind: 'ManagedCluster', name: 'elsewhere' },
    ];
    const objects = [...fleet, workIn('elsewhere')];
    expect(findings(objects).map(({ code }) => code)).toContain('FW8338');
    expect(findings(objects, '1.3', external).map(({ code }) => code)).not.toContain('FW8338');
  });
});
