import { describe, expect, test } from 'vitest';
import { findingTexts } from '../check-fixture.ts';

function cluster(name: string, fields: object = {}, taint: object = {}): object {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name },
    spec: { hubAcceptsClient: true, taints: [{ key: 'opening', effect: 'NoSelect', ...taint }] },
    ...fields,
  };
}

describe('FW8161: a taint that the hub rejects when it is applied again', () => {
  test('is reported once, with its cluster', () => {
    expect(findingTexts('FW8161', [cluster('shop-1'), cluster('shop-2')])).toMatchInlineSnapshot(`
      [
        "warning: the hub accepts this ManagedCluster once and rejects it when it is applied again: its webhook sets the timeAdded of the taint, which Git does not have (1 other cluster too)
      ManagedCluster shop-1 at spec.taints[0]
      remove taints from Git; to keep Placements from selecting the cluster, use a label, a claim or a ManagedClusterSet",
      ]
    `);
    expect(findingTexts('FW8161', [cluster('shop-1')])).toHaveLength(1);
  });
  test('is not reported with the time that the hub has set', () => {
    expect(findingTexts('FW8161', [cluster('shop-1', {}, { timeAdded: '2026-01-01T00:00:00Z' })])).toEqual(
      [],
    );
  });
  test('is not reported for a cluster of a hub, or without taints', () => {
    expect(findingTexts('FW8161', [cluster('shop-1', { status: {} })])).toEqual([]);
    expect(findingTexts('FW8161', [cluster('shop-1', { spec: { hubAcceptsClient: true } })])).toEqual([]);
  });
});
