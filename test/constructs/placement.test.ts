import { describe, expect, test } from 'vitest';
import {
  App,
  cel,
  Chart,
  DecisionGroup,
  Duration,
  ManagedClusterSet,
  Placement,
  Prioritizer,
  Selector,
  Toleration,
} from '../../constructs/index.ts';
import { errorsOf, objectOf, specOf } from './in-chart.ts';

describe('a Placement', () => {
  test('without props selects whatever its namespace may see', () => {
    const placement = objectOf((chart) => new Placement(chart, 'all'));

    expect(placement).toStrictEqual({
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'Placement',
      metadata: { name: 'all', namespace: 'ocm' },
      spec: {},
    });
  });

  test('writes all its props', () => {
    const spec = specOf((chart) => {
      const edge = new ManagedClusterSet(new Chart(new App(), 'sets'), 'edge');
      return new Placement(chart, 'picky', {
        clusterSets: [edge, ManagedClusterSet.global, ManagedClusterSet.reference('retail')],
        numberOfClusters: 3,
        predicates: [
          {
            labels: Selector.of({ env: 'prod' }).in('tier', ['gold', 'silver']),
            claims: { 'platform.open-cluster-management.io': 'aws' },
            cel: [cel`managedCluster.metadata.labels['zone'] == ${'a"b'}`],
          },
          { claims: Selector.notIn('region', ['eu-west-1']).exists('gpu').doesNotExist('retired') },
        ],
        tolerations: [Toleration.unreachable({ duration: Duration.minutes(5) }), Toleration.unavailable()],
        prioritizers: [Prioritizer.steady(3), Prioritizer.addOnScore('resource-usage', 'cpu-free', -2)],
        prioritizerMode: 'Exact',
        decisionGroups: [
          DecisionGroup.named('canary', { labels: { canary: 'true' }, claims: { region: 'us' } }),
        ],
        clustersPerDecisionGroup: '20%',
      });
    });

    expect(spec).toStrictEqual({
      clusterSets: ['edge', 'global', 'retail'],
      numberOfClusters: 3,
      predicates: [
        {
          requiredClusterSelector: {
            labelSelector: {
              matchLabels: { env: 'prod' },
              matchExpressions: [{ key: 'tier', operator: 'In', values: ['gold', 'silver'] }],
            },
            claimSelector: {
              matchExpressions: [
                { key: 'platform.open-cluster-management.io', operator: 'In', values: ['aws'] },
              ],
            },
            celSelector: { celExpressions: [String.raw`managedCluster.metadata.labels['zone'] == "a\"b"`] },
          },
        },
        {
          requiredClusterSelector: {
            claimSelector: {
              matchExpressions: [
                { key: 'region', operator: 'NotIn', values: ['eu-west-1'] },
                { key: 'gpu', operator: 'Exists' },
                { key: 'retired', operator: 'DoesNotExist' },
              ],
            },
          },
        },
      ],
      tolerations: [
        { key: 'cluster.open-cluster-management.io/unreachable', operator: 'Exists', tolerationSeconds: 300 },
        { key: 'cluster.open-cluster-management.io/unavailable', operator: 'Exists' },
      ],
      prioritizerPolicy: {
        mode: 'Exact',
        configurations: [
          { scoreCoordinate: { type: 'BuiltIn', builtIn: 'Steady' }, weight: 3 },
          {
            scoreCoordinate: {
              type: 'AddOn',
              addOn: { resourceName: 'resource-usage', scoreName: 'cpu-free' },
            },
            weight: -2,
          },
        ],
      },
      decisionStrategy: {
        groupStrategy: {
          clustersPerDecisionGroup: '20%',
          decisionGroups: [
            {
              groupName: 'canary',
              groupClusterSelector: {
                labelSelector: { matchLabels: { canary: 'true' } },
                claimSelector: { matchExpressions: [{ key: 'region', operator: 'In', values: ['us'] }] },
              },
            },
          ],
        },
      },
    });
  });

  test('accepts additions until the tree is rendered', () => {
    const spec = specOf((chart) => {
      const placement = new Placement(chart, 'grown');
      placement.addClusterSet(ManagedClusterSet.default);
      placement.addPredicate({ labels: { env: 'dev' } });
      placement.addToleration(Toleration.equal('gpu', 'true', { effect: 'NoSelect' }));
      placement.addPrioritizer(Prioritizer.balance(0));
      placement.addDecisionGroup(DecisionGroup.named('first', {}));
    });

    expect(spec).toStrictEqual({
      clusterSets: ['default'],
      predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: 'dev' } } } }],
      tolerations: [{ key: 'gpu', operator: 'Equal', value: 'true', effect: 'NoSelect' }],
      prioritizerPolicy: {
        mode: 'Additive',
        configurations: [{ scoreCoordinate: { type: 'BuiltIn', builtIn: 'Balance' }, weight: 0 }],
      },
      decisionStrategy: {
        groupStrategy: { decisionGroups: [{ groupName: 'first', groupClusterSelector: {} }] },
      },
    });
  });

  test('in mode Exact without prioritizers switches those of the hub off', () => {
    const spec = specOf(
      (chart) => new Placement(chart, 'by-name', { numberOfClusters: 1, prioritizerMode: 'Exact' }),
    );

    expect(spec).toStrictEqual({ numberOfClusters: 1, prioritizerPolicy: { mode: 'Exact' } });
  });

  test('that names the mode Additive has a policy of that mode alone', () => {
    const spec = specOf((chart) => new Placement(chart, 'as-usual', { prioritizerMode: 'Additive' }));

    expect(spec).toStrictEqual({ prioritizerPolicy: { mode: 'Additive' } });
  });

  test('may select no cluster at all', () => {
    expect(specOf((chart) => new Placement(chart, 'none', { numberOfClusters: 0 }))).toStrictEqual({
      numberOfClusters: 0,
    });
  });

  test('needs a namespace', () => {
    const errors = errorsOf((chart) => new Placement(new Chart(chart, 'bare'), 'lost'));

    expect(errors).toEqual([
      {
        construct: 'chart/bare/lost',
        message: "Placement 'lost' has no namespace: give it one, or give one to its chart",
      },
    ]);
  });
});

test('each prioritizer has the name that the hub uses', () => {
  const builtIns = [
    Prioritizer.balance(1),
    Prioritizer.steady(1),
    Prioritizer.allocatableCpu(1),
    Prioritizer.allocatableMemory(1),
  ].map(({ config }) => config.scoreCoordinate.builtIn);

  expect(builtIns).toEqual(['Balance', 'Steady', 'ResourceAllocatableCPU', 'ResourceAllocatableMemory']);
});

test('a toleration of everything has no key', () => {
  expect(
    Toleration.everything({ effect: 'NoSelectIfNew', duration: Duration.hours(1) }).toleration,
  ).toStrictEqual({
    operator: 'Exists',
    effect: 'NoSelectIfNew',
    tolerationSeconds: 3600,
  });
});

test('a toleration of equal taints may have no value', () => {
  expect(Toleration.equal('gpu').toleration).toStrictEqual({ key: 'gpu', operator: 'Equal' });
  expect(Toleration.equal('gpu', { effect: 'NoSelect' }).toleration).toStrictEqual({
    key: 'gpu',
    operator: 'Equal',
    effect: 'NoSelect',
  });
  expect(Toleration.equal('gpu', '').toleration).toStrictEqual({ key: 'gpu', operator: 'Equal', value: '' });
});
