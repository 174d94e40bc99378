import { expect, test } from 'vitest';
import { unknownHistory } from '../../../src/compiler/plan/unknown-history.ts';
import { plan } from '../../../src/compiler/plan/plan.ts';
import { diagnosticsAsText } from '../../../src/compiler/report/text/text.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { resolveText } from '../../resolve-text.ts';

const group = 'cluster.open-cluster-management.io';

interface Cluster {
  readonly name: string;
  readonly taint?: string;
  readonly cpu?: number;
}

const fleetOf = (clusters: readonly Cluster[]): string =>
  clusters
    .map(
      ({ name, taint, cpu = 1 }) => `
apiVersion: ${group}/v1
kind: ManagedCluster
metadata: { name: ${name} }
spec:
  hubAcceptsClient: true
  ${taint === undefined ? '' : `taints: [{ key: maintenance, effect: ${taint}, timeAdded: "2026-01-01T00:00:00Z" }]`}
status:
  conditions: [{ type: ManagedClusterConditionAvailable, status: "True", reason: Test, message: "", lastTransitionTime: "2026-01-01T00:00:00Z" }]
  allocatable: { cpu: "${cpu}" }
  capacity: { cpu: "64" }
`,
    )
    .join('---');

const app = (spec: string): string => `
apiVersion: ${group}/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: default }
spec: { clusterSet: global }
---
apiVersion: ${group}/v1beta1
kind: Placement
metadata: { name: some, namespace: default }
spec: ${spec}
`;

const decision = `---
apiVersion: ${group}/v1beta1
kind: PlacementDecision
metadata: { name: some-decision-1, namespace: default, labels: { ${group}/placement: some } }
status: { decisions: [{ clusterName: a, reason: "" }] }
`;

const three: readonly Cluster[] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];

/** The findings when a fleet gets another cluster. */
function findingsFor(spec: string, clusters = three, more = '', joining = [{ name: 'new' }]): string {
  const { resolution: base } = resolveText(app(spec), { fleet: fleetOf(clusters) + more });
  const { resolution: head } = resolveText(app(spec), { fleet: fleetOf([...clusters, ...joining]) + more });
  const apps = [{ app: '', base, head }];
  const hub = hubVersion('1.3');
  const { value } = plan(apps, { hub, baseHub: hub, by: [], allObjects: true, engine: 'none' });
  return diagnosticsAsText(unknownHistory(apps, value), { textOf: () => undefined });
}

test('Steady: the hub may have other clusters than after a first installation', () => {
  expect(findingsFor('{ numberOfClusters: 2 }')).toContain(
    'warning FW8150: which clusters Placement default/some has now depends on earlier decisions of the hub, which no snapshot contains: 3 clusters match, it selects 2, and the hub prefers those that it selected before; the plan starts from those of a first installation',
  );
});

test('NoSelectIfNew: the hub may have the cluster since before the taint', () => {
  const tainted = [{ name: 'a' }, { name: 'b', taint: 'NoSelectIfNew' }];
  expect(findingsFor('{}', tainted)).toContain(
    'it keeps cluster "b", which has a taint NoSelectIfNew, only if it had it before',
  );
  const tolerant = '{ tolerations: [{ key: maintenance, operator: Exists }] }';
  expect(findingsFor(tolerant, tainted)).toBe('');
  expect(findingsFor('{}', [{ name: 'a' }, { name: 'b', taint: 'NoSelect' }])).toBe('');
});

test('ordinary placements depend on no history', () => {
  expect(findingsFor('{}')).toBe('');
  expect(findingsFor('{ numberOfClusters: 3 }')).toBe('');
  expect(findingsFor('{ numberOfClusters: 0 }')).toBe('');
});

test('the decisions of a snapshot are the history', () => {
  expect(findingsFor('{ numberOfClusters: 1 }', three, decision)).toBe('');
});

test('nothing is reported if nothing changes', () => {
  expect(findingsFor('{ numberOfClusters: 2 }', three, '', [])).toBe('');
});

test('scores further apart than earlier decisions can outweigh leave no choice', () => {
  const byCpu = (weight: number): string =>
    `{ numberOfClusters: 1, prioritizerPolicy: { mode: Exact, configurations: [
      { scoreCoordinate: { builtIn: ResourceAllocatableCPU }, weight: ${weight} },
      { scoreCoordinate: { builtIn: Steady }, weight: 1 }] } }`;
  const unequal = [
    { name: 'a', cpu: 1 },
    { name: 'b', cpu: 64 },
  ];
  expect(findingsFor(byCpu(1), unequal)).toBe('');
  const alike = [
    { name: 'a', cpu: 63 },
    { name: 'b', cpu: 64 },
    { name: 'c', cpu: 1 },
  ];
  expect(findingsFor(byCpu(1), alike)).toContain('FW8150');
});
