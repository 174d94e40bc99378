import { describe, expect, test } from 'vitest';
import {
  binding,
  cluster,
  clusterSet,
  clusters,
  placement,
  placementNamed,
} from '../../place/hub-fixture.ts';
import { addOn, codesOf, outageTolerations, findingTexts } from '../check-fixture.ts';

const fleet = [...clusters('a', 'b'), binding('default')];
const safe = { tolerations: outageTolerations };
const none = {
  predicates: [
    {
      requiredClusterSelector: { labelSelector: { matchExpressions: [{ key: 'env', operator: 'Exists' }] } },
    },
  ],
};

test('an add-on on a placement that survives outages has no findings', () => {
  expect(codesOf([...fleet, placement(safe), addOn('logs')])).toEqual([]);
  expect(codesOf([...fleet, placement({ tolerations: [{ operator: 'Exists' }] }), addOn('logs')])).toEqual(
    [],
  );
});

describe('FW7003: an install strategy with a placement that does not exist', () => {
  test('names the entry', () => {
    expect(findingTexts('FW7003', [...fleet, placement(safe), addOn('logs', ['pl', 'typo'])]))
      .toMatchInlineSnapshot(`
      [
        "error: Placement "default/typo" does not exist: the hub uninstalls the add-on from clusters that no other placement selects, and configures it on no cluster
      ClusterManagementAddOn logs at spec.installStrategy.placements[1]
      create the Placement, correct its name or namespace, or list it under external in fleetwright.yaml if the hub has it",
      ]
    `);
  });
  test('does not matter to an add-on that manages itself', () => {
    const self = { annotations: { 'addon.open-cluster-management.io/lifecycle': 'self' } };
    expect(codesOf([addOn('logs', ['typo'], self)])).toEqual([]);
  });
});

describe('FW7008: a cluster that becomes unreachable', () => {
  test('loses the add-ons of a placement without tolerations', () => {
    expect(findingTexts('FW7008', [...fleet, placement(), addOn('logs'), addOn('dns')]))
      .toMatchInlineSnapshot(`
      [
        "warning: a cluster that becomes unreachable or unavailable leaves this placement, and the hub uninstalls 2 add-ons ("dns", "logs") there
      Placement pl at spec.tolerations
      tolerate cluster.open-cluster-management.io/unreachable and cluster.open-cluster-management.io/unavailable with operator Exists",
      ]
    `);
  });
  test('loses them if only one of the taints is tolerated, or the value is wrong', () => {
    const [unreachable] = outageTolerations;
    const tolerations = [unreachable, { ...outageTolerations[1], operator: 'Equal', value: 'true' }];
    expect(findingTexts('FW7008', [...fleet, placement({ tolerations }), addOn('logs')]))
      .toMatchInlineSnapshot(`
      [
        "warning: a cluster that becomes unavailable leaves this placement, and the hub uninstalls add-on "logs" there
      Placement pl at spec.tolerations
      tolerate cluster.open-cluster-management.io/unavailable with operator Exists",
      ]
    `);
  });
  test('names the first three add-ons', () => {
    const names = ['e', 'd', 'c', 'b', 'a'];
    expect(findingTexts('FW7008', [...fleet, placement(), ...names.map((name) => addOn(name))])[0]).toContain(
      '5 add-ons ("a", "b", "c", …)',
    );
  });
  test('loses nothing if no add-on depends on the placement', () => {
    expect(codesOf([...fleet, placement()])).toEqual([]);
  });
});

describe('FW7009: a decision of several pages', () => {
  const many = Array.from({ length: 101 }, (_, index) => cluster(`c${String(index).padStart(3, '0')}`));
  test('may lose clusters while they move', () => {
    expect(findingTexts('FW7009', [...many, binding('default'), placement(safe), addOn('logs')]))
      .toMatchInlineSnapshot(`
      [
        "warning: the 101 clusters fill 2 PlacementDecisions: a cluster that moves to another one is briefly in neither, and the hub may uninstall add-on "logs" there
      Placement pl at spec
      split the clusters into placements that select at most 100 each",
      ]
    `);
  });
  test('does not happen with a hundred clusters', () => {
    expect(codesOf([...many.slice(1), binding('default'), placement(safe), addOn('logs')])).toEqual([]);
  });
});

describe('FW7010: an empty decision', () => {
  test('because no cluster matches', () => {
    expect(findingTexts('FW7010', [...fleet, placement({ ...safe, ...none }), addOn('logs')]))
      .toMatchInlineSnapshot(`
      [
        "warning: none of the 2 clusters in its sets matches the predicates, so the hub installs add-on "logs" on no cluster of this placement
      Placement pl at spec
      fleetwright explain CLUSTER ADDON explains why a cluster is not selected",
      ]
    `);
  });
  test('because the sets are empty', () => {
    const empty = [clusterSet('prod'), binding('prod'), clusterSet('stage'), binding('stage')];
    expect(findingTexts('FW7010', [...empty, placement({ ...safe, clusterSets: ['prod'] }), addOn('logs')]))
      .toMatchInlineSnapshot(`
      [
        "warning: set "prod" has no clusters, so the hub installs add-on "logs" on no cluster of this placement
      Placement pl at spec
      fleetwright explain CLUSTER ADDON explains why a cluster is not selected",
      ]
    `);
    expect(findingTexts('FW7010', [...empty, placement(safe), addOn('logs')])).toMatchInlineSnapshot(`
      [
        "warning: none of the sets "prod", "stage" has any clusters, so the hub installs add-on "logs" on no cluster of this placement
      Placement pl at spec
      fleetwright explain CLUSTER ADDON explains why a cluster is not selected",
      ]
    `);
  });
  test('because of taints', () => {
    const tainted = cluster('gpu', { taints: [{ key: 'gpu', effect: 'NoSelect' }] });
    expect(findingTexts('FW7010', [tainted, binding('default'), placement(safe), addOn('logs')]))
      .toMatchInlineSnapshot(`
      [
        "warning: the 1 cluster that matches has taints that are not tolerated, so the hub installs add-on "logs" on no cluster of this placement
      Placement pl at spec
      fleetwright explain CLUSTER ADDON explains why a cluster is not selected",
      ]
    `);
  });
  test('ignores placements without add-ons, and faults that are reported otherwise', () => {
    expect(findingTexts('FW7010', [...fleet, placement(none)])).toEqual([]);
    expect(codesOf([...fleet, placement({ ...safe, numberOfClusters: 0 }), addOn('logs')])).toEqual([
      'FW7011',
    ]);
    expect(codesOf([...clusters('a'), placement(safe), addOn('logs')])).toEqual(['FW7001']);
    expect(
      codesOf([...fleet, placement({ ...safe, prioritizerPolicy: { mode: 'x' } }), addOn('logs')]),
    ).toEqual([]);
  });
});

test('FW7011: a placement for no clusters', () => {
  expect(findingTexts('FW7011', [...fleet, placement({ numberOfClusters: 0 })])).toMatchInlineSnapshot(`
    [
      "warning: numberOfClusters is 0, so the placement selects nothing
    Placement pl at spec.numberOfClusters
    remove numberOfClusters to select all clusters",
    ]
  `);
});

test('FW7020: a decision group that vanishes', () => {
  const decisionGroups = ['canary', 'rest'].map((groupName) => ({
    groupName,
    groupClusterSelector: { labelSelector: { matchLabels: { 'example.com/group': groupName } } },
  }));
  const grouped = placementNamed('grouped', { decisionStrategy: { groupStrategy: { decisionGroups } } });
  const rest = cluster('c', { labels: { 'example.com/group': 'rest' } });
  expect(findingTexts('FW7020', [rest, binding('default'), grouped])).toMatchInlineSnapshot(`
    [
      "warning: no selected cluster belongs to decision group "canary", so the hub does not create the group, and the index of each later group decreases by one
    Placement grouped at spec.decisionStrategy.groupStrategy.decisionGroups[0]
    refer to decision groups by name, not by index",
    ]
  `);
});
