// Measures the decisions of 50 placements over 100, 1,000 and 10,000 clusters: CPU time of place() on admitted
// objects, the best of several runs, and how it grows from step to step (10 is linear). The last column is the cost of the
// largest fleet if the decisions of the state before are given, beside the cost without them, in turn.
//   node --import tsx bench/place.ts
import type { KubernetesObject } from '../src/base/objects/object-meta.ts';
import { admit } from '../src/compiler/admit/admit.ts';
import { byFloor, readingFloor } from './floor.ts';
import type { Inventory, LoadedObject } from '../src/compiler/model/inventory.ts';
import type { Decisions } from '../src/compiler/place/decision.ts';
import { place } from '../src/compiler/place/place.ts';

const now = Date.parse('2026-11-01T00:00:00Z');
const group = 'cluster.open-cluster-management.io';
const fleetSizes = [100, 1_000, 10_000];
const placements = 50;
const runs = 7;

type Spec = (index: number) => object;

/** Kinds of placements, each measured separately. */
const kinds: Readonly<Record<string, Spec>> = {
  'all clusters': () => ({ tolerations: [{ operator: 'Exists' }] }),
  'label selectors': (index) =>
    predicate({
      labelSelector: {
        matchLabels: { region: `region-${index % 17}` },
        matchExpressions: [
          { key: 'env', operator: 'In', values: ['prod', 'stage'] },
          { key: `retired-${index}`, operator: 'DoesNotExist' },
        ],
      },
    }),
  'claim selectors': (index) =>
    predicate({
      claimSelector: {
        matchExpressions: [
          { key: 'platform.open-cluster-management.io', operator: 'In', values: [['AWS', 'GCP'][index % 2]] },
          { key: `unknown-${index}`, operator: 'DoesNotExist' },
        ],
      },
    }),
  'CEL, the same in all': () => cel('managedCluster.metadata.labels["env"] == "prod"'),
  'CEL, each its own': (index) =>
    cel(
      `managedCluster.metadata.labels["region"] == "region-${index % 17}" && managedCluster.status.clusterClaims.exists(c, c.name == "platform.open-cluster-management.io" && c.value != "${index}")`,
    ),
  'default prioritizers': (index) => ({ numberOfClusters: 20 + index }),
  'all prioritizers': (index) => ({
    numberOfClusters: 20 + index,
    prioritizerPolicy: {
      mode: 'Additive',
      configurations: [
        { scoreCoordinate: { type: 'BuiltIn', builtIn: 'ResourceAllocatableCPU' }, weight: 2 },
        { scoreCoordinate: { type: 'BuiltIn', builtIn: 'ResourceAllocatableMemory' }, weight: 1 },
        { scoreCoordinate: { type: 'AddOn', addOn: { resourceName: 'load', scoreName: 'cpu' } }, weight: 1 },
      ],
    },
  }),
  'decision groups': () => ({
    decisionStrategy: {
      groupStrategy: {
        decisionGroups: [
          { groupName: 'canary', groupClusterSelector: { labelSelector: { matchLabels: { env: 'dev' } } } },
        ],
        clustersPerDecisionGroup: '10%',
      },
    },
  }),
};

function predicate(requiredClusterSelector: object): object {
  return { predicates: [{ requiredClusterSelector }] };
}

function cel(expression: string): object {
  return predicate({ celSelector: { celExpressions: [expression] } });
}

function fleet(size: number, spec: Spec): Inventory {
  const objects: KubernetesObject[] = [
    {
      apiVersion: `${group}/v1beta2`,
      kind: 'ManagedClusterSetBinding',
      metadata: { name: 'global', namespace: 'default' },
      spec: { clusterSet: 'global' },
    },
  ];
  for (let index = 0; index < size; index++) objects.push(...cluster(index));
  for (let index = 0; index < placements; index++) {
    objects.push({
      apiVersion: `${group}/v1beta1`,
      kind: 'Placement',
      metadata: { name: `placement-${index}`, namespace: 'default' },
      spec: spec(index),
    });
  }
  const { value, diagnostics } = admit(objects.map(loaded));
  if (diagnostics.length > 0) throw new Error(diagnostics[0]?.message);
  return value;
}

/** Returns a cluster and its score; one of ten has a taint. */
function cluster(index: number): KubernetesObject[] {
  const name = `cluster-${String(index).padStart(5, '0')}`;
  const resources = { cpu: `${(index % 64) + 1}`, memory: `${(index % 100) + 1}Gi` };
  const taints = [{ key: 'gpu', value: 'true', effect: 'NoSelect', timeAdded: '2026-01-01T00:00:00Z' }];
  return [
    {
      apiVersion: `${group}/v1`,
      kind: 'ManagedCluster',
      metadata: {
        name,
        labels: {
          env: ['dev', 'stage', 'prod'][index % 3] ?? '',
          region: `region-${index % 17}`,
          tier: `tier-${index % 5}`,
        },
      },
      spec: { hubAcceptsClient: true, ...(index % 10 === 0 ? { taints } : {}) },
      status: {
        conditions: [
          {
            type: 'ManagedClusterConditionAvailable',
            status: 'True',
            reason: 'Ready',
            message: '',
            lastTransitionTime: '2026-01-01T00:00:00Z',
          },
        ],
        clusterClaims: [
          { name: 'platform.open-cluster-management.io', value: index % 2 === 0 ? 'AWS' : 'GCP' },
        ],
        allocatable: resources,
        capacity: resources,
        version: { kubernetes: 'v1.31.0' },
      },
    },
    {
      apiVersion: `${group}/v1alpha1`,
      kind: 'AddOnPlacementScore',
      metadata: { name: 'load', namespace: name },
      status: {
        scores: [{ name: 'cpu', value: ((index * 7) % 201) - 100 }],
        validUntil: '2027-01-01T00:00:00Z',
      },
    },
  ];
}

function loaded(object: KubernetesObject): LoadedObject {
  const location = { construct: 'bench' };
  return { object, source: 'fleet', origin: { location, locate: () => location } };
}

/** Returns the CPU milliseconds of one run. */
function measure(inventory: Inventory, earlier?: Decisions): number {
  const before = process.cpuUsage();
  place(inventory, { now, ...(earlier && { earlier }) });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Returns the cost with the decisions of the state before by that without them. */
function costOfHistory(inventory: Inventory): number {
  const { value: earlier } = place(inventory, { now });
  const pairs = Array.from(
    { length: runs },
    () => [measure(inventory), measure(inventory, earlier)] as const,
  );
  return (
    Math.min(...pairs.map(([, remembering]) => remembering)) / Math.min(...pairs.map(([fresh]) => fresh))
  );
}

const write = (text: string): boolean => process.stdout.write(`${text}\n`);

write(`${placements} placements, CPU milliseconds (growth from the step before)\n`);
write(
  [
    'placements'.padEnd(24),
    ...fleetSizes.map((size) => `${size.toLocaleString('en')} clusters`.padStart(20)),
    'by floor'.padStart(12),
    'with history'.padStart(15),
  ].join(''),
);
for (const [name, spec] of Object.entries(kinds)) {
  const times = fleetSizes.map((size) => {
    const inventory = fleet(size, spec);
    return Math.min(...Array.from({ length: runs }, () => measure(inventory)));
  });
  const largest = fleet(fleetSizes.at(-1) ?? 0, spec);
  const floor = readingFloor(largest.objects.map(({ object }) => object));
  const cells = times.map((time, step) => {
    const before = times[step - 1];
    return `${time.toFixed(1)}${before === undefined ? '' : ` (× ${(time / before).toFixed(1)})`}`.padStart(
      20,
    );
  });
  write(
    name.padEnd(24) +
      cells.join('') +
      byFloor(times.at(-1) ?? NaN, floor).padStart(12) +
      `${costOfHistory(largest).toFixed(2)} ×`.padStart(15),
  );
}
