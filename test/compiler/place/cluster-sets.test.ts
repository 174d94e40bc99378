import { describe, expect, test } from 'vitest';
import {
  binding,
  cluster,
  clusterSet,
  clusters,
  decide,
  decisionOf,
  placement,
  selectedOf,
} from './hub-fixture.ts';

const setLabel = 'cluster.open-cluster-management.io/clusterset';
const blue = cluster('blue', { labels: { [setLabel]: 'colours', env: 'prod' } });
const red = cluster('red', { labels: { [setLabel]: 'colours', env: 'dev' } });
const byEnv = clusterSet('by-env', {
  selectorType: 'LabelSelector',
  labelSelector: { matchLabels: { env: 'prod' } },
});

describe('members', () => {
  test('the hub has set default for clusters without a label, and global for all', () => {
    expect(selectedOf([blue, ...clusters('a'), binding('default'), placement()])).toEqual(['a']);
    expect(selectedOf([blue, ...clusters('a'), binding('global'), placement()])).toEqual(['a', 'blue']);
  });
  test('an exclusive set has the clusters that name it', () => {
    expect(selectedOf([blue, red, clusterSet('colours'), binding('colours'), placement()])).toEqual([
      'blue',
      'red',
    ]);
  });
  test('a set by labels has the clusters that match, whatever set they name', () => {
    expect(selectedOf([blue, red, byEnv, binding('by-env'), placement()])).toEqual(['blue']);
  });
  test('without a label selector such a set is empty, with an empty one it has all', () => {
    const objects = [blue, red, binding('s'), placement()];
    expect(selectedOf([...objects, clusterSet('s', { selectorType: 'LabelSelector' })])).toEqual([]);
    expect(
      selectedOf([...objects, clusterSet('s', { selectorType: 'LabelSelector', labelSelector: {} })]),
    ).toEqual(['blue', 'red']);
  });
  test('a cluster of several sets counts once', () => {
    const objects = [
      blue,
      red,
      clusterSet('colours'),
      byEnv,
      binding('colours'),
      binding('by-env'),
      placement(),
    ];
    expect(selectedOf(objects)).toEqual(['blue', 'red']);
  });
  test('clusters that are being deleted do not count any more', () => {
    const leaving = cluster('leaving', { deletionTimestamp: '2026-08-15T11:00:00Z' });
    expect(selectedOf([leaving, ...clusters('a'), binding('default'), placement()])).toEqual(['a']);
  });
  test('the hub resets the default set, unless that is disabled', () => {
    const changed = { selectorType: 'LabelSelector', labelSelector: {} };
    const objects = [blue, ...clusters('a'), binding('default'), placement()];
    expect(selectedOf([...objects, clusterSet('default', changed)])).toEqual(['a']);
    const kept = clusterSet('default', changed);
    Object.assign(kept, {
      metadata: {
        name: 'default',
        annotations: { 'cluster.open-cluster-management.io/autoupdate': 'false' },
      },
    });
    expect(selectedOf([...objects, kept])).toEqual(['a', 'blue']);
  });
});

describe('bindings', () => {
  const objects = [blue, red, ...clusters('a'), clusterSet('colours'), byEnv];

  function satisfied(...more: object[]): string | undefined {
    const { status } = decisionOf(decide([...objects, ...more]).decisions);
    return status.conditions?.find(({ type }) => type === 'PlacementSatisfied')?.message;
  }

  test('sets count if the namespace of the placement is bound to them', () => {
    expect(selectedOf([...objects, binding('colours'), binding('global', 'other'), placement()])).toEqual([
      'blue',
      'red',
    ]);
  });
  test('spec.clusterSets leaves those that it names', () => {
    const bindings = [binding('colours'), binding('default'), binding('by-env')];
    expect(
      selectedOf([...objects, ...bindings, placement({ clusterSets: ['default', 'unbound', 'default'] })]),
    ).toEqual(['a']);
  });
  test('without a binding the hub reports so', () => {
    expect(satisfied(placement())).toBe('No valid ManagedClusterSetBindings found in placement namespace');
    expect(satisfied(binding('missing'), placement())).toBe(
      'No valid ManagedClusterSetBindings found in placement namespace',
    );
  });
  test('without a bound set among those named the hub repeats their names', () => {
    expect(satisfied(binding('colours'), placement({ clusterSets: ['z', 'a', 'z'] }))).toBe(
      'None of ManagedClusterSets [z,a,z] is bound to placement namespace',
    );
  });
  test('without a cluster in the sets the hub names the sets', () => {
    const empty = [clusterSet('none-b'), clusterSet('none-a'), binding('none-b'), binding('none-a')];
    expect(satisfied(...empty, placement())).toBe(
      'All ManagedClusterSets [none-a,none-b] have no member ManagedCluster',
    );
  });
});
