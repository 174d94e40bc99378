import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupLength } from '../../../src/compiler/place/decision-groups.ts';
import { binding, cluster, clusters, decide, decisionOf, placement } from './hub-fixture.ts';

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `c${String(index).padStart(3, '0')}`);

function grouped(groupStrategy: object, objects: readonly object[]): ReturnType<typeof decisionOf> {
  return decisionOf(
    decide([...objects, binding('default'), placement({ decisionStrategy: { groupStrategy } })]).decisions,
  );
}

function named(groupName: string, env: string): object {
  return { groupName, groupClusterSelector: { labelSelector: { matchLabels: { env } } } };
}

describe('the length of groups', () => {
  test.each([
    [0, 10, 10],
    [3, 10, 3],
    [11, 10, 10],
    [-1, 10, 10],
    ['25%', 10, 3],
    ['100%', 7, 7],
    // (7 / 100) * 100 is a little more than 7
    ['7%', 100, 8],
    ['14%', 100, 15],
    ['55%', 100, 56],
    ['57%', 100, 57],
    ['29%', 100, 29],
    ['33%', 0, 0],
  ])('%j of %d clusters is %d', (size, total, length) => {
    expect(groupLength(size, total)).toBe(length);
  });
  test.each([
    ['10', '10 invalid type: string is not a percentage'],
    ['x%', 'strconv.ParseFloat: parsing "x": invalid syntax'],
  ])('%j is not valid', (size, message) => {
    expect(groupLength(size, 10)).toMatchObject({ plugin: '', message });
  });
});

describe('groups', () => {
  const mixed = [
    ...['a', 'd', 'b'].map((name) => cluster(name, { labels: { env: 'prod' } })),
    cluster('c', { labels: { env: 'dev' } }),
    cluster('z'),
  ];
  test('without a strategy all clusters are one group', () => {
    const decision = decisionOf(decide([...mixed, binding('default'), placement()]).decisions);
    expect(decision.groups).toEqual([{ name: '', clusters: ['a', 'b', 'c', 'd', 'z'] }]);
  });
  test('named groups come first, the rest has no name, and long ones are divided', () => {
    const strategy = {
      decisionGroups: [named('canary', 'dev'), named('prod', 'prod')],
      clustersPerDecisionGroup: 2,
    };
    expect(grouped(strategy, mixed).groups).toEqual([
      { name: 'canary', clusters: ['c'] },
      { name: 'prod', clusters: ['a', 'b'] },
      { name: 'prod', clusters: ['d'] },
      { name: '', clusters: ['z'] },
    ]);
  });
  test('the first group that matches takes a cluster, and an empty one vanishes', () => {
    const everything = { groupName: 'all', groupClusterSelector: {} };
    const strategy = { decisionGroups: [named('stage', 'stage'), everything, named('prod', 'prod')] };
    expect(grouped(strategy, mixed).groups).toEqual([{ name: 'all', clusters: ['a', 'b', 'c', 'd', 'z'] }]);
  });
  test('groups select by claims too', () => {
    const aws = cluster('aws', { claims: { platform: 'AWS' } });
    const selector = {
      claimSelector: { matchExpressions: [{ key: 'platform', operator: 'In', values: ['AWS'] }] },
    };
    const strategy = { decisionGroups: [{ groupName: 'cloud', groupClusterSelector: selector }] };
    expect(grouped(strategy, [aws, ...clusters('x')]).groups).toEqual([
      { name: 'cloud', clusters: ['aws'] },
      { name: '', clusters: ['x'] },
    ]);
  });
  test('no clusters produce one empty group', () => {
    expect(grouped({ decisionGroups: [named('prod', 'prod')] }, []).groups).toEqual([
      { name: '', clusters: [] },
    ]);
  });

  test('groups and pages divide the selected clusters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('prod', 'dev', 'stage'), { maxLength: 260 }),
        fc.oneof(
          fc.integer({ min: -1, max: 300 }),
          fc.integer({ min: 1, max: 100 }).map((percent) => `${percent}%`),
        ),
        (envs, clustersPerDecisionGroup) => {
          const names = numbered(envs.length);
          const fleet = names.map((name, index) => cluster(name, { labels: { env: envs[index] } }));
          const strategy = {
            decisionGroups: [named('prod', 'prod'), named('dev', 'dev')],
            clustersPerDecisionGroup,
          };
          const { groups, selected, objects, status } = grouped(strategy, fleet);

          expect(selected).toEqual(names);
          expect(groups.flatMap((group) => group.clusters).toSorted()).toEqual(names);
          const pages = objects.map((object) =>
            (object.status?.decisions ?? []).map(({ clusterName }) => clusterName),
          );
          expect(pages.flat()).toEqual(groups.flatMap((group) => group.clusters));
          expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(100);
          expect(new Set(objects.map(({ metadata }) => metadata.name)).size).toBe(objects.length);
          const counts = (status.decisionGroups ?? []).map(({ clusterCount = 0 }) => clusterCount);
          expect(counts.reduce((sum, count) => sum + count, 0)).toBe(names.length);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('decision objects', () => {
  test('are numbered across groups, of at most 100 clusters each', () => {
    const { objects, status } = grouped({ clustersPerDecisionGroup: 120 }, clusters(...numbered(250)));
    expect(objects.map((object) => [object.metadata.name, object.status?.decisions.length])).toEqual([
      ['pl-decision-1', 100],
      ['pl-decision-2', 20],
      ['pl-decision-3', 100],
      ['pl-decision-4', 20],
      ['pl-decision-5', 10],
    ]);
    expect(status.decisionGroups).toEqual([
      {
        decisionGroupIndex: 0,
        decisionGroupName: '',
        decisions: ['pl-decision-1', 'pl-decision-2'],
        clusterCount: 120,
      },
      {
        decisionGroupIndex: 1,
        decisionGroupName: '',
        decisions: ['pl-decision-3', 'pl-decision-4'],
        clusterCount: 120,
      },
      { decisionGroupIndex: 2, decisionGroupName: '', decisions: ['pl-decision-5'], clusterCount: 10 },
    ]);
  });
  test('name their placement and group', () => {
    const { objects } = grouped({ decisionGroups: [named('prod', 'prod')] }, [
      cluster('a', { labels: { env: 'prod' } }),
    ]);
    expect(objects).toEqual([
      {
        apiVersion: 'cluster.open-cluster-management.io/v1beta1',
        kind: 'PlacementDecision',
        metadata: {
          name: 'pl-decision-1',
          namespace: 'default',
          labels: {
            'cluster.open-cluster-management.io/placement': 'pl',
            'cluster.open-cluster-management.io/decision-group-name': 'prod',
            'cluster.open-cluster-management.io/decision-group-index': '0',
          },
          ownerReferences: [
            {
              apiVersion: 'cluster.open-cluster-management.io/v1beta1',
              kind: 'Placement',
              name: 'pl',
              controller: true,
              blockOwnerDeletion: true,
            },
          ],
        },
        status: { decisions: [{ clusterName: 'a', reason: '' }] },
      },
    ]);
  });
  test('an empty decision has no status', () => {
    expect(grouped({}, []).objects.map(({ status }) => status)).toEqual([undefined]);
  });
});

describe('a group that the hub refuses', () => {
  const bad = {
    groupName: 'bad',
    groupClusterSelector: { labelSelector: { matchExpressions: [{ key: 'a', operator: 'Gt' }] } },
  };
  const fleet = [cluster('a', { labels: { env: 'prod' } }), cluster('b')];

  test('leaves the groups before it, though the status counts all clusters', () => {
    const { groups, selected, status, objects } = grouped(
      { decisionGroups: [named('prod', 'prod'), bad] },
      fleet,
    );
    expect(groups).toEqual([{ name: 'prod', clusters: ['a'] }]);
    expect(selected).toEqual(['a']);
    expect(objects).toHaveLength(1);
    expect(status.numberOfSelectedClusters).toBe(2);
    expect(status.conditions).toEqual([
      {
        type: 'PlacementMisconfigured',
        status: 'True',
        reason: 'Misconfigured',
        message: ':"Gt" is not a valid label selector operator',
      },
      {
        type: 'PlacementSatisfied',
        status: 'True',
        reason: 'AllDecisionsScheduled',
        message: 'All cluster decisions scheduled',
      },
    ]);
  });
  test('a quoted number of clusters leaves no decision at all', () => {
    const { groups, selected, status, objects } = grouped({ clustersPerDecisionGroup: '10' }, fleet);
    expect({ groups, selected, objects, decisionGroups: status.decisionGroups }).toEqual({
      groups: [],
      selected: [],
      objects: [],
      decisionGroups: [],
    });
  });
});
