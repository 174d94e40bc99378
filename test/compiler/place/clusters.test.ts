import { describe, expect, test } from 'vitest';
import type { ManagedClusterV1, ManagedClusterV1Taint } from '../../../schemas/types.gen.ts';
import { clusterOnHub } from '../../../src/compiler/place/clusters.ts';
import { cluster, inventoryOf, now } from './hub-fixture.ts';

const unreachable = 'cluster.open-cluster-management.io/unreachable';
const unavailable = 'cluster.open-cluster-management.io/unavailable';
const setLabel = 'cluster.open-cluster-management.io/clusterset';
const noon = '2026-08-15T12:00:00Z';

function onHub(...fields: Parameters<typeof cluster>): ManagedClusterV1 {
  const admitted = inventoryOf(cluster(...fields)).managedClusters.get(fields[0]);
  if (admitted === undefined) throw new Error('not admitted');
  return clusterOnHub(admitted.object, now);
}

function taintsOf(...fields: Parameters<typeof cluster>): readonly ManagedClusterV1Taint[] {
  return onHub(...fields).spec?.taints ?? [];
}

describe('the set label', () => {
  test('a cluster without the label belongs to set default', () => {
    expect(onHub('c').metadata.labels).toEqual({ [setLabel]: 'default' });
  });
  test('an empty label counts as missing', () => {
    expect(onHub('c', { labels: { [setLabel]: '', env: 'prod' } }).metadata.labels).toEqual({
      [setLabel]: 'default',
      env: 'prod',
    });
  });
  test('another set is kept', () => {
    expect(onHub('c', { labels: { [setLabel]: 'prod' } }).metadata.labels).toEqual({ [setLabel]: 'prod' });
  });
});

describe('taints by availability', () => {
  test.each([
    ['True', []],
    ['False', [{ key: unavailable, effect: 'NoSelect', timeAdded: noon }]],
    ['Unknown', [{ key: unreachable, effect: 'NoSelect', timeAdded: noon }]],
    ['none', [{ key: unreachable, effect: 'NoSelect', timeAdded: noon }]],
  ] as const)('condition %s', (available, taints) => {
    expect(taintsOf('c', { available })).toEqual(taints);
  });

  test('a taint of the hub keeps its time, and is removed when the cluster is back', () => {
    const taints = [{ key: unreachable, effect: 'NoSelect', timeAdded: '2026-08-01T00:00:00Z' }];
    expect(taintsOf('c', { available: 'Unknown', taints })).toEqual(taints);
    expect(taintsOf('c', { available: 'True', taints })).toEqual([]);
  });

  test('one of the two replaces the other', () => {
    const taints = [
      { key: 'gpu', effect: 'NoSelect', timeAdded: noon },
      { key: unreachable, effect: 'NoSelect', timeAdded: noon },
    ];
    expect(taintsOf('c', { available: 'False', taints }).map(({ key }) => key)).toEqual(['gpu', unavailable]);
  });

  test('a taint with such a key and another effect is the user’s', () => {
    const taints = [{ key: unreachable, effect: 'NoSelectIfNew', timeAdded: noon }];
    expect(taintsOf('c', { available: 'True', taints })).toEqual(taints);
    expect(taintsOf('c', { available: 'Unknown', taints })).toHaveLength(2);
  });

  test('a cluster that is being deleted is left alone', () => {
    expect(taintsOf('c', { available: 'Unknown', deletionTimestamp: noon })).toEqual([]);
  });
});

test('a taint without a time was added now, to the second', () => {
  const taints = [
    { key: 'gpu', effect: 'NoSelect' },
    { key: 'edge', effect: 'NoSelect', timeAdded: '2026-01-01T00:00:00Z' },
  ];
  const object = onHub('c', { taints });
  expect(object.spec?.taints).toEqual([
    { key: 'gpu', effect: 'NoSelect', timeAdded: noon },
    { key: 'edge', effect: 'NoSelect', timeAdded: '2026-01-01T00:00:00Z' },
  ]);
  expect(clusterOnHub(object, now + 999)).toBe(object);
});
