import { describe, expect, test } from 'vitest';
import {
  Duration,
  ManagedCluster,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Selector,
  Taint,
} from '../../constructs/index.ts';
import { errorsOf, objectOf, objectsOf } from './in-chart.ts';

describe('a ManagedCluster', () => {
  test('is not accepted by default', () => {
    expect(objectOf((chart) => new ManagedCluster(chart, 'cluster1'))).toStrictEqual({
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: { name: 'cluster1' },
      spec: { hubAcceptsClient: false },
    });
  });

  test('writes all its props', () => {
    const cluster = objectOf((chart) => {
      const cluster = new ManagedCluster(chart, 'cluster1', {
        labels: { env: 'prod' },
        hubAcceptsClient: true,
        leaseDuration: Duration.minutes(2),
        clusterSet: ManagedClusterSet.reference('retail'),
        taints: [Taint.noSelect('gpu', 'true'), Taint.noSelectIfNew('full')],
        clientConfigs: [{ url: 'https://cluster1.example.com:6443' }],
      });
      cluster.addTaint(Taint.preferNoSelect('slow'));
    });

    expect(cluster).toStrictEqual({
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: {
        name: 'cluster1',
        labels: { env: 'prod', 'cluster.open-cluster-management.io/clusterset': 'retail' },
      },
      spec: {
        hubAcceptsClient: true,
        leaseDurationSeconds: 120,
        taints: [
          { key: 'gpu', value: 'true', effect: 'NoSelect' },
          { key: 'full', effect: 'NoSelectIfNew' },
          { key: 'slow', effect: 'PreferNoSelect' },
        ],
        managedClusterClientConfigs: [{ url: 'https://cluster1.example.com:6443' }],
      },
    });
  });

  test('cannot be assigned to a set that selects by labels', () => {
    const errors = errorsOf((chart) => {
      const clusterSet = new ManagedClusterSet(chart, 'prod', { selector: { env: 'prod' } });
      new ManagedCluster(chart, 'cluster1', { clusterSet });
      new ManagedCluster(chart, 'cluster2', { clusterSet: ManagedClusterSet.global });
      new ManagedCluster(chart, 'cluster3', { clusterSet: new ManagedClusterSet(chart, 'retail') });
    });

    expect(errors).toEqual([
      {
        construct: 'chart/cluster1',
        message:
          "ManagedCluster 'cluster1' cannot be assigned to ManagedClusterSet 'prod', which selects by labels",
      },
      {
        construct: 'chart/cluster2',
        message:
          "ManagedCluster 'cluster2' cannot be assigned to ManagedClusterSet 'global', which selects by labels",
      },
    ]);
  });
});

describe('a ManagedClusterSet', () => {
  test('has the clusters that are assigned to it', () => {
    const set = objectOf((chart) => {
      const retail = new ManagedClusterSet(chart, 'retail', { managedNamespaces: ['shop'] });
      retail.addManagedNamespace('till');
    });

    expect(set).toStrictEqual({
      apiVersion: 'cluster.open-cluster-management.io/v1beta2',
      kind: 'ManagedClusterSet',
      metadata: { name: 'retail' },
      spec: {
        clusterSelector: { selectorType: 'ExclusiveClusterSetLabel' },
        managedNamespaces: [{ name: 'shop' }, { name: 'till' }],
      },
    });
  });

  test('or those that it selects, which may be all', () => {
    const specs = objectsOf((chart) => {
      new ManagedClusterSet(chart, 'prod', { selector: { env: 'prod' } });
      new ManagedClusterSet(chart, 'all', { selector: Selector.all() });
    }).map(({ spec }) => spec);

    expect(specs).toStrictEqual([
      { clusterSelector: { selectorType: 'LabelSelector', labelSelector: { matchLabels: { env: 'prod' } } } },
      { clusterSelector: { selectorType: 'LabelSelector', labelSelector: {} } },
    ]);
  });
});

describe('a ManagedClusterSetBinding', () => {
  test('has the name of its set', () => {
    const bindings = objectsOf((chart) => {
      const retail = new ManagedClusterSet(chart, 'set', { name: 'retail' });
      retail.bindTo('team-a');
      new ManagedClusterSetBinding(chart, 'binding', { clusterSet: ManagedClusterSet.global });
    }).slice(1);

    expect(bindings).toStrictEqual([
      {
        apiVersion: 'cluster.open-cluster-management.io/v1beta2',
        kind: 'ManagedClusterSetBinding',
        metadata: { name: 'retail', namespace: 'team-a' },
        spec: { clusterSet: 'retail' },
      },
      {
        apiVersion: 'cluster.open-cluster-management.io/v1beta2',
        kind: 'ManagedClusterSetBinding',
        metadata: { name: 'global', namespace: 'ocm' },
        spec: { clusterSet: 'global' },
      },
    ]);
  });
});
