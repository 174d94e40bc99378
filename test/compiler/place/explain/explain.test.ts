import { describe, expect, test } from 'vitest';
import { explainPlacement } from '../../../../src/compiler/place/explain/explain.ts';
import {
  binding,
  cluster,
  clusterSet,
  clusters,
  decide,
  earlier,
  placement,
  placementNamed,
  score,
} from '../hub-fixture.ts';

const setLabel = 'cluster.open-cluster-management.io/clusterset';

/** The explanation of one cluster and placement `default/pl`, as text. */
function explain(objects: readonly (string | object)[], name: string): string {
  const explanation = explainPlacement(decide(objects).decisions, 'default/pl', name);
  if (explanation === undefined) throw new Error('no such placement');
  const steps = explanation.steps.flatMap(({ stage, kept, text, reasons, path }) => [
    `${kept ? '+' : '-'} ${stage}: ${text}${path === undefined ? '' : ` (${path})`}`,
    ...reasons.map((reason) => `    ${reason}`),
  ]);
  return [explanation.summary, ...steps].join('\n');
}

const fleet = [
  cluster('aws-1', { labels: { env: 'prod' }, claims: { platform: 'AWS' } }),
  cluster('aws-2', { labels: { env: 'dev' }, claims: { platform: 'AWS' } }),
  cluster('gcp-1', { labels: { env: 'prod' }, claims: { platform: 'GCP' } }),
  cluster('lost', { available: 'Unknown' }),
  binding('default'),
];

const prod = { requiredClusterSelector: { labelSelector: { matchLabels: { env: 'prod' } } } };
const onAws = {
  requiredClusterSelector: {
    labelSelector: { matchExpressions: [{ key: 'env', operator: 'In', values: ['prod', 'stage'] }] },
    claimSelector: { matchExpressions: [{ key: 'platform', operator: 'NotIn', values: ['GCP'] }] },
  },
};

test('a selected cluster is followed into its decision group', () => {
  expect(explain([...fleet, placement({ predicates: [onAws] })], 'aws-1')).toMatchInlineSnapshot(`
    ""default/pl" selects "aws-1": it is in decision group 0, named by PlacementDecision "pl-decision-1"
    + cluster sets: it belongs to "default", which namespace "default" is bound to
    + predicates: predicate 0 matches (spec.predicates[0])
        label env is "prod", and must be "prod" or "stage"
        claim platform is "AWS", and must not be "GCP"
    + taints: it has no taints
    + choice: 1 cluster is left, and the placement selects all
    + decision group: it is in decision group 0, named by PlacementDecision "pl-decision-1""
  `);
});

describe('a cluster is dropped', () => {
  test('because the fleet has no cluster of that name', () => {
    expect(explain([...fleet, placement()], 'aws-9')).toMatchInlineSnapshot(`
      ""default/pl" does not select "aws-9": the fleet has no cluster "aws-9"
      - fleet: the fleet has no cluster "aws-9""
    `);
  });
  test('because it is being deleted', () => {
    const leaving = cluster('leaving', { deletionTimestamp: '2026-08-15T11:00:00Z' });
    expect(explain([...fleet, leaving, placement()], 'leaving')).toMatchInlineSnapshot(`
      ""default/pl" does not select "leaving": it was marked for deletion at 2026-08-15T11:00:00Z
      - fleet: it was marked for deletion at 2026-08-15T11:00:00Z"
    `);
  });
  test('because the namespace is not bound to a set', () => {
    expect(explain([...clusters('a'), placement()], 'a')).toMatchInlineSnapshot(`
      ""default/pl" does not select "a": namespace "default" is not bound to any ManagedClusterSet
      - cluster sets: namespace "default" is not bound to any ManagedClusterSet"
    `);
    expect(explain([...fleet, placement({ clusterSets: ['prod'] })], 'aws-1')).toMatchInlineSnapshot(`
      ""default/pl" does not select "aws-1": namespace "default" is bound to "default", but not to a set that the placement names
      - cluster sets: namespace "default" is bound to "default", but not to a set that the placement names (spec.clusterSets)"
    `);
  });
  test('because of its set', () => {
    const other = cluster('other', { labels: { [setLabel]: 'lab' } });
    expect(explain([...fleet, other, clusterSet('lab'), placement()], 'other')).toMatchInlineSnapshot(`
      ""default/pl" does not select "other": it belongs to "global" and "lab", and the placement takes clusters from "default"
      - cluster sets: it belongs to "global" and "lab", and the placement takes clusters from "default" (spec)"
    `);
  });
  test('because of a label or a claim', () => {
    expect(explain([...fleet, placement({ predicates: [onAws] })], 'aws-2')).toMatchInlineSnapshot(`
      ""default/pl" does not select "aws-2": label env is "dev", but must be "prod" or "stage"
      + cluster sets: it belongs to "default", which namespace "default" is bound to
      - predicates: label env is "dev", but must be "prod" or "stage" (spec.predicates[0].requiredClusterSelector.labelSelector.matchExpressions[0])"
    `);
    expect(explain([...fleet, placement({ predicates: [onAws] })], 'gcp-1')).toMatchInlineSnapshot(`
      ""default/pl" does not select "gcp-1": claim platform is "GCP", but must not be "GCP"
      + cluster sets: it belongs to "default", which namespace "default" is bound to
      - predicates: claim platform is "GCP", but must not be "GCP" (spec.predicates[0].requiredClusterSelector.claimSelector.matchExpressions[0])"
    `);
  });
  test('because of the first term that fails in every predicate', () => {
    expect(explain([...fleet, placement({ predicates: [onAws, prod] })], 'aws-2')).toMatchInlineSnapshot(`
      ""default/pl" does not select "aws-2": none of the 2 predicates matches
      + cluster sets: it belongs to "default", which namespace "default" is bound to
      - predicates: none of the 2 predicates matches (spec.predicates)
          predicate 0: label env is "dev", but must be "prod" or "stage"
          predicate 1: label env is "dev", but must be "prod""
    `);
  });
  test('because of a taint', () => {
    expect(explain([...fleet, placement()], 'lost')).toMatchInlineSnapshot(`
      ""default/pl" does not select "lost": taint cluster.open-cluster-management.io/unreachable:NoSelect is not tolerated
      + cluster sets: it belongs to "default", which namespace "default" is bound to
      + predicates: there are no predicates, so every cluster passes
      - taints: taint cluster.open-cluster-management.io/unreachable:NoSelect is not tolerated (spec.tolerations)"
    `);
    const tainted = cluster('c', {
      taints: [
        { key: 'soft', effect: 'PreferNoSelect' },
        { key: 'gpu', value: 'a100', effect: 'NoSelect', timeAdded: '2026-08-15T11:59:00Z' },
        { key: 'old', effect: 'NoSelect', timeAdded: '2026-08-15T11:00:00Z' },
      ],
    });
    const tolerations = [
      { key: 'gpu', operator: 'Exists', tolerationSeconds: 600 },
      { key: 'old', operator: 'Exists', tolerationSeconds: 600 },
    ];
    expect(explain([tainted, binding('default'), placement({ tolerations })], 'c')).toMatchInlineSnapshot(`
      ""default/pl" does not select "c": taint old:NoSelect is no longer tolerated: the time of toleration 1 ended at 2026-08-15T11:10:00Z
      + cluster sets: it belongs to "default", which namespace "default" is bound to
      + predicates: there are no predicates, so every cluster passes
      - taints: taint old:NoSelect is no longer tolerated: the time of toleration 1 ended at 2026-08-15T11:10:00Z (spec.tolerations)
          taint soft:PreferNoSelect has no effect: the hub ignores PreferNoSelect
          taint gpu=a100:NoSelect is tolerated by toleration 0 until 2026-08-15T12:09:00Z"
    `);
  });
  test('because others have a higher score', () => {
    const configurations = [
      { scoreCoordinate: { type: 'AddOn', addOn: { resourceName: 'load', scoreName: 'cpu' } }, weight: -2 },
      { scoreCoordinate: { type: 'BuiltIn', builtIn: 'ResourceAllocatableCPU' } },
    ];
    const spec = { numberOfClusters: 2, prioritizerPolicy: { configurations } };
    const objects = [
      ...clusters('a', 'b', 'c'),
      binding('default'),
      score('a', { cpu: 30 }),
      score('b', { cpu: 90 }, '2026-08-01T00:00:00Z'),
      earlier('other', ['b', 'c']),
      placement(spec),
    ];
    expect(explain(objects, 'c')).toMatchInlineSnapshot(`
      ""default/pl" does not select "c": it ranks 3rd of 3 with a score of -100, and numberOfClusters is 2
      + cluster sets: it belongs to "default", which namespace "default" is bound to
      + predicates: there are no predicates, so every cluster passes
      + taints: it has no taints
      - choice: it ranks 3rd of 3 with a score of -100, and numberOfClusters is 2 (spec.numberOfClusters)
          Balance: -100 × 1
          Steady: 0 × 1
          AddOn/load/cpu: 0 × -2
          ResourceAllocatableCPU has no score for it, which counts as 0
          the last selected cluster, "b", has 0"
    `);
    expect(explain(objects, 'a')).toMatchInlineSnapshot(`
      ""default/pl" selects "a": it is in decision group 0, named by PlacementDecision "pl-decision-1"
      + cluster sets: it belongs to "default", which namespace "default" is bound to
      + predicates: there are no predicates, so every cluster passes
      + taints: it has no taints
      + choice: it ranks 1st of 3 with a score of 140, and numberOfClusters is 2 (spec.numberOfClusters)
          Balance: 100 × 1
          Steady: 100 × 1
          AddOn/load/cpu: 30 × -2
          ResourceAllocatableCPU has no score for it, which counts as 0
      + decision group: it is in decision group 0, named by PlacementDecision "pl-decision-1""
    `);
  });
  test('because the placement is misconfigured', () => {
    const bad = {
      requiredClusterSelector: { labelSelector: { matchExpressions: [{ key: 'a', operator: 'Gt' }] } },
    };
    expect(explain([...fleet, placement({ predicates: [bad] })], 'aws-1')).toMatchInlineSnapshot(`
      ""default/pl" does not select "aws-1": the hub reports the placement as misconfigured, and selects nothing
      + cluster sets: it belongs to "default", which namespace "default" is bound to
      - placement: the hub reports the placement as misconfigured, and selects nothing (spec.predicates[0].requiredClusterSelector.labelSelector.matchExpressions[0])
          "Gt" is not a valid label selector operator"
    `);
    expect(
      explain(
        [...fleet, placement({ tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] })],
        'aws-1',
      ),
    ).toMatchInlineSnapshot(`
      ""default/pl" does not select "aws-1": the hub reports the placement as misconfigured, and selects nothing
      + cluster sets: it belongs to "default", which namespace "default" is bound to
      + predicates: there are no predicates, so every cluster passes
      - placement: the hub reports the placement as misconfigured, and selects nothing (spec.tolerations[0])
          If the operator is Exists, the value should be empty."
    `);
    expect(explain([...fleet, placement({ prioritizerPolicy: { mode: 'Fair' } })], 'aws-1'))
      .toMatchInlineSnapshot(`
      ""default/pl" does not select "aws-1": the hub reports the placement as misconfigured, and selects nothing
      + cluster sets: it belongs to "default", which namespace "default" is bound to
      + predicates: there are no predicates, so every cluster passes
      + taints: it has no taints
      - placement: the hub reports the placement as misconfigured, and selects nothing (spec.prioritizerPolicy.mode)
          incorrect prioritizer policy mode: Fair"
    `);
  });
  test('because its decision group is misconfigured', () => {
    const strategy = { decisionStrategy: { groupStrategy: { clustersPerDecisionGroup: '2' } } };
    expect(explain([...fleet, placement(strategy)], 'aws-1')).toMatchInlineSnapshot(`
      ""default/pl" does not select "aws-1": the hub selects it, but writes no decision for it, because it reports the decision groups as misconfigured
      + cluster sets: it belongs to "default", which namespace "default" is bound to
      + predicates: there are no predicates, so every cluster passes
      + taints: it has no taints
      + choice: 3 clusters are left, and the placement selects all
      - decision group: the hub selects it, but writes no decision for it, because it reports the decision groups as misconfigured (spec.decisionStrategy.groupStrategy.clustersPerDecisionGroup)
          2 invalid type: string is not a percentage"
    `);
  });
});

test('a taint does not matter to a cluster that was selected before', () => {
  const tainted = cluster('c', { taints: [{ key: 'full', effect: 'NoSelectIfNew' }] });
  expect(explain([tainted, binding('default'), earlier('pl', ['c']), placement()], 'c'))
    .toMatchInlineSnapshot(`
      ""default/pl" selects "c": it is in decision group 0, named by PlacementDecision "pl-decision-1"
      + cluster sets: it belongs to "default", which namespace "default" is bound to
      + predicates: there are no predicates, so every cluster passes
      + taints: none of its taints excludes it
          taint full:NoSelectIfNew excludes only new clusters, and this one was selected before
      + choice: 1 cluster is left, and the placement selects all
      + decision group: it is in decision group 0, named by PlacementDecision "pl-decision-1""
    `);
});

test('if the hub does not decide, the earlier decision explains it', () => {
  const negative = placement({ numberOfClusters: -1 });
  expect(explain([...fleet, earlier('pl', ['aws-1']), negative], 'aws-1')).toMatchInlineSnapshot(`
    ""default/pl" selects "aws-1": the hub does not decide again, because numberOfClusters is -1; its earlier decision contains the cluster
    + placement: the hub does not decide again, because numberOfClusters is -1; its earlier decision contains the cluster (spec.numberOfClusters)"
  `);
  expect(explain([...fleet, negative], 'aws-1')).toMatchInlineSnapshot(`
    ""default/pl" does not select "aws-1": the hub does not decide again, because numberOfClusters is -1; its earlier decision does not contain the cluster
    - placement: the hub does not decide again, because numberOfClusters is -1; its earlier decision does not contain the cluster (spec.numberOfClusters)"
  `);
});

test('the group of a cluster has its name, index and page', () => {
  const decisionGroups = [
    {
      groupName: 'canary',
      groupClusterSelector: {
        claimSelector: { matchExpressions: [{ key: 'platform', operator: 'In', values: ['GCP'] }] },
      },
    },
    { groupName: 'prod', groupClusterSelector: { labelSelector: { matchLabels: { env: 'prod' } } } },
  ];
  const grouped = placement({ numberOfClusters: 7, decisionStrategy: { groupStrategy: { decisionGroups } } });
  expect(explain([...fleet, grouped], 'aws-1')).toMatchInlineSnapshot(`
    ""default/pl" selects "aws-1": it is in decision group 1 "prod", named by PlacementDecision "pl-decision-2"
    + cluster sets: it belongs to "default", which namespace "default" is bound to
    + predicates: there are no predicates, so every cluster passes
    + taints: it has no taints
    + choice: 3 clusters are left, and the placement selects up to 7 (spec.numberOfClusters)
    + decision group: it is in decision group 1 "prod", named by PlacementDecision "pl-decision-2""
  `);
});

test('a step names the line that decided', () => {
  const yaml = `
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata:
  name: pl
  namespace: default
spec:
  predicates:
    - requiredClusterSelector:
        labelSelector:
          matchLabels:
            env: prod`;
  const explanation = explainPlacement(decide([yaml, ...fleet]).decisions, 'default/pl', 'aws-2');
  expect(explanation?.steps.at(-1)?.location).toEqual({ file: 'hub.yaml', line: 12, column: 13 });
});

test('reports nothing about a placement that does not exist', () => {
  expect(explainPlacement(decide([placementNamed('other')]).decisions, 'default/pl', 'a')).toBeUndefined();
});
