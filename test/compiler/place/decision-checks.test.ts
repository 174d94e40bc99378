import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/compiler/model/diagnostic.ts';
import {
  binding,
  cluster,
  clusterSet,
  clusters,
  decide,
  decisionOf,
  earlier,
  placement,
  placementNamed,
  score,
} from './hub-fixture.ts';

const fleet = [...clusters('a', 'b', 'c'), binding('default')];

function findings(objects: readonly (string | object)[]): readonly Diagnostic[] {
  return decide(objects).diagnostics;
}

/** What users read of the only finding. */
function findingText(objects: readonly (string | object)[]): string {
  const [found, ...others] = findings(objects);
  if (found === undefined || others.length > 0) throw new Error(`${others.length} other findings`);
  const { code, severity, message, path, hint } = found;
  return `${severity} ${code}: ${message}\n  at ${path}\n  ${hint}`;
}

test('a sound placement has no findings', () => {
  expect(findings([...fleet, placement()])).toEqual([]);
});

describe('FW3001', () => {
  test('names the field, in the words of the hub', () => {
    const selector = { labelSelector: { matchExpressions: [{ key: 'env', operator: 'Gt', values: ['1'] }] } };
    expect(findingText([...fleet, placement({ predicates: [{}, { requiredClusterSelector: selector }] })]))
      .toMatchInlineSnapshot(`
      "error FW3001: the hub reports this placement as misconfigured and selects no cluster: Predicate: "Gt" is not a valid label selector operator
        at spec.predicates[1].requiredClusterSelector.labelSelector.matchExpressions[0]
        correct the field; until then everything that uses this placement is uninstalled"
    `);
  });
  test('names the line', () => {
    const yaml = `
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata:
  name: pl
  namespace: default
spec:
  tolerations:
    - key: gpu
      operator: Exists
    - operator: Equal`;
    const [found] = findings([yaml, ...fleet]);
    expect(found).toMatchObject({
      path: 'spec.tolerations[1]',
      location: { file: 'hub.yaml', line: 11, column: 7 },
    });
  });
  test('describes the effect on decision groups', () => {
    expect(
      findingText([
        ...fleet,
        placement({ decisionStrategy: { groupStrategy: { clustersPerDecisionGroup: '2' } } }),
      ]),
    ).toMatchInlineSnapshot(`
      "error FW3001: the hub reports this placement as misconfigured and removes all its decisions: 2 invalid type: string is not a percentage
        at spec.decisionStrategy.groupStrategy.clustersPerDecisionGroup
        write a number without quotes, or a percentage such as "25%""
    `);
    const bad = {
      groupName: 'bad',
      groupClusterSelector: { labelSelector: { matchLabels: { env: 'a b' } } },
    };
    const good = { groupName: 'good', groupClusterSelector: { labelSelector: {} } };
    expect(
      findingText([
        ...fleet,
        placement({ decisionStrategy: { groupStrategy: { decisionGroups: [good, bad] } } }),
      ]),
    ).toMatchInlineSnapshot(`
      "error FW3001: the hub reports this placement as misconfigured and keeps only the decision groups before the faulty one: values[0][env]: Invalid value: "a b": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')
        at spec.decisionStrategy.groupStrategy.decisionGroups[1].groupClusterSelector.labelSelector.matchLabels.env
        correct the field; until then everything that uses this placement is uninstalled"
    `);
  });
  test('has a hint for claims', () => {
    const claimSelector = {
      matchExpressions: [{ key: 'console', operator: 'NotIn', values: ['https://a.example'] }],
    };
    const [found] = findings([
      ...fleet,
      placement({ predicates: [{ requiredClusterSelector: { claimSelector } }] }),
    ]);
    expect(found?.hint).toBe(
      'claim selectors accept only label values; compare other claim values with a CEL expression',
    );
  });
  test('is reported for a prioritizer even if there are no clusters', () => {
    expect(findingText([binding('default'), placement({ prioritizerPolicy: { mode: 'Fair' } })]))
      .toMatchInlineSnapshot(`
      "error FW3001: the hub reports this placement as misconfigured and selects no cluster: incorrect prioritizer policy mode: Fair
        at spec.prioritizerPolicy.mode
        correct the field; until then everything that uses this placement is uninstalled"
    `);
  });
});

describe('if the hub does not decide, the earlier decision is kept', () => {
  const before = [earlier('pl', ['b']), earlier('pl', ['a', 'gone'], 2)];

  function standing(...objects: object[]): unknown {
    const {
      groups,
      selected,
      objects: pages,
      status,
    } = decisionOf(decide([...fleet, ...before, ...objects]).decisions);
    return { groups, selected, pages: pages.map(({ metadata }) => metadata.name), status };
  }

  const unchanged = {
    groups: [
      { name: '', clusters: ['b'] },
      { name: '', clusters: ['a', 'gone'] },
    ],
    selected: ['a', 'b', 'gone'],
    pages: ['pl-decision-1', 'pl-decision-2'],
    status: {},
  };

  test('FW3002: a negative number of clusters', () => {
    const negative = placement({ numberOfClusters: -1 });
    expect(findingText([...fleet, negative])).toMatchInlineSnapshot(`
      "error FW3002: numberOfClusters is -1, so the placement controller of the hub crashes, and decides for no placement
        at spec.numberOfClusters
        remove numberOfClusters to select all clusters"
    `);
    expect(standing(negative)).toEqual(unchanged);
  });
  test('FW3003: a name that is not a label value', () => {
    expect(findingText([...fleet, placementNamed('p'.repeat(64))])).toMatchInlineSnapshot(`
      "error FW3003: its name has 64 characters, and a label value may have 63, so the hub cannot write decisions for it
        at metadata.name
        give the placement a name of at most 63 characters"
    `);
  });
  test('FW3004: a set with a selector that the hub refuses, unless the placement leaves it out', () => {
    const selector = { matchExpressions: [{ key: 'a', operator: 'In', values: [] }] };
    const bad = [
      clusterSet('bad', { selectorType: 'LabelSelector', labelSelector: selector }),
      binding('bad'),
    ];
    expect(findingText([...fleet, ...bad, placement()])).toMatchInlineSnapshot(`
      "error FW3004: failed to get clusters from ClusterSet "bad": values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty, so the hub leaves its earlier decision as it is
        at spec.clusterSets
        correct the label selector of the ManagedClusterSet"
    `);
    expect(standing(...bad, placement())).toEqual(unchanged);
    expect(findings([...fleet, ...bad, placement({ clusterSets: ['default'] })])).toEqual([]);
  });
  test('FW3006: scheduling that is switched off', () => {
    const annotation = 'cluster.open-cluster-management.io/experimental-scheduling-disable';
    const disabled = placement({}, { annotations: { [annotation]: 'true' } });
    expect(findingText([...fleet, disabled])).toMatchInlineSnapshot(`
      "info FW3006: annotation cluster.open-cluster-management.io/experimental-scheduling-disable is "true", so the hub leaves its earlier decision as it is
        at metadata.annotations[cluster.open-cluster-management.io/experimental-scheduling-disable]
        remove the annotation to let the hub decide again"
    `);
    expect(standing(disabled)).toEqual(unchanged);
    expect(findings([...fleet, placement({}, { annotations: { [annotation]: 'True' } })])).toEqual([]);
  });
  test('FW3006: a placement that is being deleted', () => {
    const deleted = placement(
      {},
      { deletionTimestamp: '2026-08-15T11:00:00Z', finalizers: ['example.com/wait'] },
    );
    expect(findingText([...fleet, deleted])).toMatchInlineSnapshot(`
      "info FW3006: it was marked for deletion at 2026-08-15T11:00:00Z, so the hub leaves its earlier decision as it is
        at metadata.deletionTimestamp
        its decisions are deleted with it; remove it from the inputs to see the effect"
    `);
  });
});

test('FW3007: a placement that never becomes stable', () => {
  const configurations = [{ scoreCoordinate: { builtIn: 'Steady' }, weight: -1 }];
  expect(findingText([...fleet, placement({ numberOfClusters: 1, prioritizerPolicy: { configurations } })]))
    .toMatchInlineSnapshot(`
    "warning FW3007: the hub never settles this placement: it selects other clusters each time
      at spec.prioritizerPolicy
      give Steady a positive weight, or remove numberOfClusters"
  `);
});

/** One of the clusters of a zone. */
function onlyIn(zone: string): object {
  const selector = { labelSelector: { matchLabels: { zone } } };
  return { predicates: [{ requiredClusterSelector: selector }], numberOfClusters: 1 };
}

describe('placements that compete for clusters', () => {
  const onlyA = { requiredClusterSelector: { labelSelector: { matchLabels: { zone: 'a' } } } };
  const zoned = [cluster('a', { labels: { zone: 'a' } }), ...clusters('b', 'c'), binding('default')];

  test('FW3008: the order is random', () => {
    const pair = ['p1', 'p2'].map((name) => placementNamed(name, { numberOfClusters: 1 }));
    expect(findings([...fleet, ...pair]).map(({ object, code }) => `${code} ${object?.name}`)).toEqual([
      'FW3008 p1',
      'FW3008 p2',
    ]);
    expect(findings([...fleet, ...pair, earlier('p1', ['a'])])).toEqual([]);
    const first = placementNamed('p0', { predicates: [onlyA] });
    expect(findingText([...zoned, first, placementNamed('p1', { numberOfClusters: 1 })]))
      .toMatchInlineSnapshot(`
      "info FW3008: the selected clusters depend on the order in which the hub handles new placements; the prediction uses the order of their names
        at spec.numberOfClusters
        add the PlacementDecisions of the hub to the fleet snapshot, or set the weight of Balance to 0"
    `);
  });
  test('FW3008: an edit that moves two placements is handled in a random order', () => {
    const chosen = (name: string): object => placementNamed(name, { numberOfClusters: 2 });
    const decided = [...clusters('b', 'c', 'd', 'e'), binding('default'), chosen('p1'), chosen('p2')];
    const before = [earlier('p1', ['a', 'b']), earlier('p2', ['a', 'c'])];
    expect(
      findings([...decided, ...before])
        .filter(({ code }) => code === 'FW3008')
        .map(({ object }) => object?.name),
    ).toEqual(['p1', 'p2']);
    expect(findings([...decided, earlier('p1', ['a', 'b']), earlier('p2', ['c', 'd'])])).toEqual([]);
  });
  test('it is not reported if they have no cluster in common', () => {
    const zones = ['a', 'b', 'c', 'd'].map((name, index) =>
      cluster(name, { labels: { zone: index < 2 ? 'x' : 'y' } }),
    );
    expect(
      findings([
        ...zones,
        binding('default'),
        placementNamed('p1', onlyIn('x')),
        placementNamed('p2', onlyIn('y')),
      ]),
    ).toEqual([]);
  });
  test('FW3010: one that is crowded out moves on', () => {
    const crowded = [placementNamed('p1', { numberOfClusters: 1 }), earlier('p1', ['a'])];
    expect(findingText([...zoned, ...crowded, placementNamed('p2', { predicates: [onlyA] })]))
      .toMatchInlineSnapshot(`
      "warning FW3010: other placements displace it: the next time, the hub selects "b" instead of "a"
        at spec.prioritizerPolicy
        set the weight of Steady to 3 or more to keep the clusters, or the weight of Balance to 0"
    `);
  });
});

test('FW3009: scores that expired', () => {
  const configurations = [
    { scoreCoordinate: { type: 'AddOn', addOn: { resourceName: 'load', scoreName: 'cpu' } } },
  ];
  const spec = { prioritizerPolicy: { configurations } };
  const old = '2026-08-01T00:00:00Z';
  expect(findingText([...fleet, score('b', { cpu: 1 }, old), placement(spec)])).toMatchInlineSnapshot(`
    "warning FW3009: the scores of AddOn/load/cpu for cluster "b" have expired, so they count as 0, which is more than a negative score
      at spec.prioritizerPolicy.configurations
      make sure that the scores are refreshed, or pull a new snapshot of the fleet"
  `);
  expect(
    findings([...fleet, score('b', { cpu: 1 }, old), score('c', { cpu: 1 }, old), placement(spec)])[0]
      ?.message,
  ).toMatchInlineSnapshot(
    `"the scores of AddOn/load/cpu for 2 clusters, including "b", have expired, so they count as 0, which is more than a negative score"`,
  );
});
