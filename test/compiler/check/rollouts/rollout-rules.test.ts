import { describe, expect, test } from 'vitest';
import { addOn, config, fleet, grouped, type Grouped, type Rollout } from '../../rollout/scenes.ts';
import { findingTexts } from '../check-fixture.ts';

const groups: Grouped = { canary: ['c1'], prod: ['c2', 'c3', 'c4'] };

function findings(code: string, rollout: Rollout, clusters: Grouped = groups): string[] {
  return findingTexts(code, [...fleet(clusters), grouped(clusters), addOn({ pl: rollout }), config()]);
}

const progressive = (fields: Rollout['progressive']): Rollout => ({
  type: 'Progressive',
  ...(fields && { progressive: fields }),
});
const perGroup = (fields: Rollout['progressivePerGroup']): Rollout => ({
  type: 'ProgressivePerGroup',
  ...(fields && { progressivePerGroup: fields }),
});

describe('FW7201: a concurrency that limits nothing', () => {
  test('more than there are clusters', () => {
    expect(findings('FW7201', progressive({ maxConcurrency: 5 }))).toMatchInlineSnapshot(`
      [
        "warning: maxConcurrency 5 is more than the 4 clusters, so all of them change at the same time
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.progressive.maxConcurrency
      set it to a smaller number, or to a percentage such as 25%",
      ]
    `);
  });
  test('a share of nothing, and less than nothing', () => {
    expect(findings('FW7201', progressive({ maxConcurrency: '0%' }))).toMatchInlineSnapshot(`
      [
        "warning: maxConcurrency "0%" means no limit, so all of them change at the same time
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.progressive.maxConcurrency
      set it to a smaller number, or to a percentage such as 25%",
      ]
    `);
    expect(findings('FW7201', progressive({ maxConcurrency: -1 }))).toHaveLength(1);
  });
  test('no group, while the groups of the placement have no size', () => {
    expect(findings('FW7201', progressive(undefined))).toMatchInlineSnapshot(`
      [
        "warning: neither maxConcurrency nor the placement's clustersPerDecisionGroup limits the rollout, so all 4 clusters change at the same time
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.progressive.maxConcurrency
      set maxConcurrency to a number or a percentage of the clusters",
      ]
    `);
    expect(findings('FW7201', progressive({ maxConcurrency: 0 }))).toHaveLength(1);
  });
  test('no group after the mandatory groups', () => {
    const mandatoryDecisionGroups = [{ groupName: 'canary' }];
    expect(findings('FW7201', progressive({ mandatoryDecisionGroups }))).toMatchInlineSnapshot(`
      [
        "warning: neither maxConcurrency nor the placement's clustersPerDecisionGroup limits the rollout, so all other 3 clusters change at the same time
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.progressive.maxConcurrency
      set maxConcurrency to a number or a percentage of the clusters",
      ]
    `);
  });
  test('all clusters in mandatory groups', () => {
    const mandatoryDecisionGroups = [{ groupName: 'canary' }, { groupName: 'prod' }];
    expect(findings('FW7201', progressive({ maxConcurrency: 1, mandatoryDecisionGroups })))
      .toMatchInlineSnapshot(`
      [
        "warning: every selected cluster is in a mandatory group, and all clusters of such a group change at the same time, so maxConcurrency 1 has no effect
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.progressive.maxConcurrency
      use smaller groups, or remove some clusters from the mandatory groups",
      ]
    `);
  });
  test('the size of the groups is used if there is no other', () => {
    const objects = [...fleet(groups), grouped(groups, 'pl', 2), addOn({ pl: progressive({}) }), config()];
    expect(findingTexts('FW7201', objects)).toEqual([]);
  });
  test('groups that the placement does not have', () => {
    expect(findings('FW7201', perGroup({}), { '': ['c1', 'c2', 'c3'] })).toMatchInlineSnapshot(`
      [
        "warning: placement "default/pl" has no decision groups, so all 3 clusters change at the same time
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.type
      add decisionGroups or clustersPerDecisionGroup to decisionStrategy.groupStrategy of the placement, or use Progressive with maxConcurrency",
      ]
    `);
    expect(findings('FW7201', perGroup({}))).toEqual([]);
    expect(findings('FW7201', perGroup({}), { prod: ['c1', 'c2'] })).toEqual([]);
  });
  test('exactly all of them is correct', () => {
    expect(findings('FW7201', progressive({ maxConcurrency: '100%' }))).toEqual([]);
    expect(findings('FW7201', progressive({ maxConcurrency: 4 }))).toEqual([]);
    expect(findings('FW7201', progressive({ maxConcurrency: 1 }))).toEqual([]);
  });
});

describe('FW7202: more failures allowed than there are clusters', () => {
  test('in all groups of the placement', () => {
    expect(findings('FW7202', progressive({ maxConcurrency: 1, maxFailures: 5 }))).toMatchInlineSnapshot(`
      [
        "warning: maxFailures 5 is more than the 4 clusters, so it counts as 0 and the first failure stops the rollout
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.progressive.maxFailures
      write a percentage: 100% tolerates any number of failures",
      ]
    `);
    expect(findings('FW7202', progressive({ maxConcurrency: 1, maxFailures: 4 }))).toEqual([]);
  });
  test('in a group', () => {
    expect(findings('FW7202', perGroup({ maxFailures: 2 }))).toMatchInlineSnapshot(`
      [
        "warning: maxFailures 2 is more than the 1 cluster of decision group 0 ("canary"), so it counts as 0 there and the first failure stops the rollout
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.progressivePerGroup.maxFailures
      write a percentage: 100% tolerates any number of failures",
      ]
    `);
    expect(findings('FW7202', perGroup({ maxFailures: 4 }))).toMatchInlineSnapshot(`
      [
        "warning: maxFailures 4 is more than the 1 cluster of decision group 0 ("canary"), so it counts as 0 there (and in 1 more) and the first failure stops the rollout
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.progressivePerGroup.maxFailures
      write a percentage: 100% tolerates any number of failures",
      ]
    `);
    expect(findings('FW7202', perGroup({ maxFailures: '100%' }))).toEqual([]);
  });
});

describe('FW7203: nothing ends the wait', () => {
  test('of a rollout in several waves', () => {
    expect(findings('FW7203', perGroup({}))).toMatchInlineSnapshot(`
      [
        "info: without a progressDeadline one cluster that never becomes ready blocks all later ones indefinitely
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.progressivePerGroup.progressDeadline
      set progressDeadline, such as 10m, and maxFailures to continue after a cluster that exceeds it",
      ]
    `);
    expect(findings('FW7203', progressive({ maxConcurrency: 1, progressDeadline: 'None' }))).toHaveLength(1);
    expect(findings('FW7203', progressive({ mandatoryDecisionGroups: [{ groupIndex: 0 }] }))).toHaveLength(1);
  });
  test('which does not matter in a single wave', () => {
    expect(findings('FW7203', progressive({ maxConcurrency: '100%' }))).toEqual([]);
    expect(findings('FW7203', { type: 'All' })).toEqual([]);
    expect(findings('FW7203', perGroup({ progressDeadline: '10m' }))).toEqual([]);
  });
});

describe('FW7204: a mandatory group that the placement does not have', () => {
  test('by name and by index', () => {
    const mandatoryDecisionGroups = [{ groupName: 'canari' }, { groupIndex: 2 }, { groupName: 'prod' }, {}];
    expect(findings('FW7204', perGroup({ mandatoryDecisionGroups }))).toMatchInlineSnapshot(`
      [
        "warning: placement "default/pl" has no decision group "canari", so the hub ignores this entry and no cluster goes first
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.progressivePerGroup.mandatoryDecisionGroups[0]
      did you mean "canary"?",
        "warning: placement "default/pl" has no decision group with index 2, so the hub ignores this entry and no cluster goes first
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.progressivePerGroup.mandatoryDecisionGroups[1]
      name a group of the placement; its last is decision group 1 ("prod")",
      ]
    `);
  });
});

describe('FW7205: a group that a rollout never passes', () => {
  const wide: Grouped = { canary: ['c1'], prod: ['c2', 'c3'], late: ['c4', 'c5'] };
  const narrow: Grouped = { prod: ['c2', 'c3'] };
  const overlap = (rollout: Rollout): string[] =>
    findingTexts('FW7205', [
      ...fleet(wide),
      grouped(wide),
      grouped(narrow, 'special'),
      addOn({ pl: rollout, special: { type: 'All' } }),
      config(),
    ]);

  test('because a later placement leads its clusters', () => {
    expect(overlap(perGroup({}))).toMatchInlineSnapshot(`
      [
        "error: the rollout never gets past decision group 1 ("prod"), so 2 clusters after it are never configured: the later placement "default/special" leads "c2", "c3"
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.progressivePerGroup
      select each cluster with one placement only, or use Progressive without mandatory groups",
      ]
    `);
  });
  test('because it is mandatory and not led here', () => {
    const mandatoryDecisionGroups = [{ groupName: 'prod' }];
    expect(overlap(progressive({ maxConcurrency: 1, mandatoryDecisionGroups }))).toMatchInlineSnapshot(`
      [
        "error: the rollout never gets past decision group 1 ("prod"), so 3 clusters after it are never configured: the later placement "default/special" leads "c2", "c3"
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.progressive.mandatoryDecisionGroups
      select each cluster with one placement only, or use Progressive without mandatory groups",
      ]
    `);
  });
  test('which does no harm without mandatory groups, or at the end', () => {
    expect(overlap(progressive({ maxConcurrency: 1 }))).toEqual([]);
    expect(overlap({ type: 'All' })).toEqual([]);
    const last = findingTexts('FW7205', [
      ...fleet(wide),
      grouped(wide),
      grouped({ late: [] }, 'special'),
      addOn({ pl: perGroup({}), special: { type: 'All' } }),
      config(),
    ]);
    expect(last).toEqual([]);
  });
  test('because a cluster is not in the fleet', () => {
    const decision = (index: number, ...names: string[]): object => ({
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'PlacementDecision',
      metadata: {
        name: `pl-decision-${index + 1}`,
        namespace: 'default',
        labels: {
          'cluster.open-cluster-management.io/placement': 'pl',
          'cluster.open-cluster-management.io/decision-group-index': String(index),
          'cluster.open-cluster-management.io/decision-group-name': '',
        },
      },
      status: { decisions: names.map((clusterName) => ({ clusterName, reason: '' })) },
    });
    const frozen = {
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'Placement',
      metadata: {
        name: 'pl',
        namespace: 'default',
        annotations: { 'cluster.open-cluster-management.io/experimental-scheduling-disable': 'true' },
      },
      spec: {},
    };
    expect(
      findingTexts('FW7205', [
        ...fleet({ canary: ['c1'], prod: ['c2'] }),
        frozen,
        decision(0, 'c1', 'gone'),
        decision(1, 'c2'),
        addOn({ pl: perGroup({}) }),
        config(),
      ]),
    ).toMatchInlineSnapshot(`
      [
        "error: the rollout never gets past decision group 0, so 1 cluster after it is never configured: the add-on is never installed on "gone"
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.progressivePerGroup
      make sure that the hub has a ManagedCluster for each cluster that the placement selects",
      ]
    `);
  });
});

describe('FW7206: tolerated failures beside mandatory groups', () => {
  const mandatoryDecisionGroups = [{ groupName: 'canary' }];
  test('are not', () => {
    expect(findings('FW7206', perGroup({ maxFailures: '50%', mandatoryDecisionGroups })))
      .toMatchInlineSnapshot(`
        [
          "warning: maxFailures "50%" has no effect beside mandatory groups: one cluster of the placement that fails or times out stops the rollout
        ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.progressivePerGroup.maxFailures
        remove maxFailures; to tolerate failures, use ProgressivePerGroup without mandatory groups, which updates the groups in order",
        ]
      `);
  });
  test('nothing is reported if no failures are tolerated, or no group is mandatory', () => {
    expect(findings('FW7206', perGroup({ maxFailures: '0%', mandatoryDecisionGroups }))).toEqual([]);
    expect(findings('FW7206', perGroup({ maxFailures: 0, mandatoryDecisionGroups }))).toEqual([]);
    expect(findings('FW7206', perGroup({ maxFailures: 1 }))).toEqual([]);
  });
});

describe('FW7207: no time at all', () => {
  test('a deadline of zero', () => {
    expect(findings('FW7207', perGroup({ progressDeadline: '0s' }))).toMatchInlineSnapshot(`
      [
        "warning: a progressDeadline of zero expires immediately: every cluster times out as soon as it changes
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.progressivePerGroup.progressDeadline
      set a longer time, such as 10m, or None to wait indefinitely",
      ]
    `);
    expect(findings('FW7207', { type: 'All', all: { progressDeadline: '0s' } })).toEqual([]);
  });
});

describe('FW7208: settings that have no effect', () => {
  test('of another type', () => {
    expect(findings('FW7208', { type: 'Progressive', progressive: {}, all: {} })).toMatchInlineSnapshot(`
      [
        "warning: the hub does not read all: the type of the rollout is Progressive
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.all
      remove it, or change the type",
      ]
    `);
  });
  test('limits of a rollout of all at once', () => {
    expect(
      findings('FW7208', {
        type: 'All',
        all: { maxFailures: 1, minSuccessTime: '5m', progressDeadline: '10m' },
      }),
    ).toMatchInlineSnapshot(`
      [
        "warning: maxFailures has no effect: a rollout of type All changes all clusters at once, regardless of failures
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.all.maxFailures
      remove it, or roll out Progressive",
        "warning: minSuccessTime has no effect: a rollout of type All changes all clusters at once, regardless of failures
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.all.minSuccessTime
      remove it, or roll out Progressive",
      ]
    `);
    expect(findings('FW7208', { type: 'All', all: {} })).toEqual([]);
  });
});

describe('FW7029: a soak that the hub can end early', () => {
  test('in waves', () => {
    expect(findings('FW7029', perGroup({ minSuccessTime: '10m' }))).toMatchInlineSnapshot(`
      [
        "warning: OCM 1.3 can end this soak immediately, so that waves start within seconds of each other: it counts from the time of a condition, which stays if an agent answers quickly
      ClusterManagementAddOn agent at spec.installStrategy.placements[0].rolloutStrategy.progressivePerGroup.minSuccessTime
      for waves that wait, use a promotion (docs/promotion.md); without one, remove minSuccessTime: each wave still waits until the works of the one before are applied",
      ]
    `);
    expect(findings('FW7029', progressive({ maxConcurrency: 1, minSuccessTime: '10m' }))).toHaveLength(1);
  });
  test('has an effect only if there are several waves', () => {
    expect(findings('FW7029', perGroup({ minSuccessTime: '10m' }), { prod: ['c1', 'c2'] })).toEqual([]);
    expect(findings('FW7029', perGroup({}))).toEqual([]);
  });
});
