import { Random } from '../differential/random.ts';

/** An add-on of a random graph. */
export interface GraphAddOn {
  readonly name: string;
  /** The add-ons that must be Available first. */
  readonly requires: readonly string[];
  /** The add-ons that must only be installed. */
  readonly requiresInstalled: readonly string[];
  readonly isProgressive: boolean;
  /** Milliseconds until the managed clusters have the namespace of a manifest. The work agent reports a failure until then. */
  readonly delay: number;
}

/** Add-ons that require each other. */
export interface RequiredGraph {
  readonly name: string;
  /** Each requires only earlier ones. */
  readonly addOns: readonly GraphAddOn[];
}

/** The clusters: the second one loses all add-ons. */
export const clusters = ['one', 'two'] as const;

/** Returns three to six add-ons, of which at least one requires another. */
export function requiredGraph(seed: number): RequiredGraph {
  const random = new Random(seed);
  const name = `graph-${seed}`;
  const names = Array.from(
    { length: random.between(3, 6) },
    (_, index) => `${name}-${'abcdef'.charAt(index)}`,
  );
  const addOns = names.map((each, index): GraphAddOn => {
    const earlier = names.slice(0, index);
    const drawn = random.some(earlier, 0.5);
    const requires = index === names.length - 1 && drawn.length === 0 ? names.slice(0, 1) : drawn;
    return {
      name: each,
      requires,
      requiresInstalled: random.some(
        earlier.filter((other) => !requires.includes(other)),
        0.2,
      ),
      isProgressive: random.chance(0.4),
      delay: random.chance(0.4) ? random.between(500, 4000) : 0,
    };
  });
  return { name, addOns };
}

const group = 'addon.open-cluster-management.io';

/** Returns the app of a graph, with placements of one or of both clusters. */
export function appOf({ name, addOns }: RequiredGraph, selected: readonly string[]): string {
  const placement = {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'Placement',
    metadata: { name, namespace: 'default' },
    spec: {
      tolerations: [{ operator: 'Exists' }],
      predicates: [
        {
          requiredClusterSelector: {
            labelSelector: { matchExpressions: [{ key: 'cluster', operator: 'In', values: selected }] },
          },
        },
      ],
    },
  };
  return [placement, ...addOns.flatMap((addOn) => objectsOf(name, addOn))]
    .map((object) => JSON.stringify(object))
    .join('\n---\n');
}

function objectsOf(graph: string, addOn: GraphAddOn): object[] {
  const { name, requires, requiresInstalled, isProgressive, delay } = addOn;
  const lines = [...requires, ...requiresInstalled.map((other) => `${other} installed`)];
  const mark = (suffix: string, namespace: string): object => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `${name}${suffix}`, namespace, labels: { graph } },
  });
  const rolloutStrategy = isProgressive
    ? { type: 'Progressive', progressive: { maxConcurrency: 1 } }
    : { type: 'All' };
  return [
    {
      apiVersion: `${group}/v1alpha1`,
      kind: 'ClusterManagementAddOn',
      metadata: {
        name,
        annotations: {
          'fleetwright.dev/delivery': 'compiled',
          ...(lines.length > 0 && { 'fleetwright.dev/requires': lines.join('\n') }),
        },
      },
      spec: {
        supportedConfigs: [{ group, resource: 'addontemplates', defaultConfig: { name } }],
        installStrategy: {
          type: 'Placements',
          placements: [{ name: graph, namespace: 'default', rolloutStrategy }],
        },
      },
    },
    {
      apiVersion: `${group}/v1alpha1`,
      kind: 'AddOnTemplate',
      metadata: { name },
      spec: {
        addonName: name,
        agentSpec: {
          workload: {
            manifests: [mark('', 'default'), ...(delay > 0 ? [mark('-late', lateNamespace(name))] : [])],
          },
        },
      },
    },
  ];
}

/** The namespace that the managed clusters have after the delay of an add-on. */
export function lateNamespace(addOn: string): string {
  return `late-${addOn}`;
}

/** The fleet of both clusters. */
export function fleet(): string {
  const set = 'cluster.open-cluster-management.io/v1beta2';
  return [
    {
      apiVersion: set,
      kind: 'ManagedClusterSet',
      metadata: { name: 'global' },
      spec: { clusterSelector: { selectorType: 'LabelSelector', labelSelector: {} } },
    },
    {
      apiVersion: set,
      kind: 'ManagedClusterSetBinding',
      metadata: { name: 'global', namespace: 'default' },
      spec: { clusterSet: 'global' },
    },
    ...clusters.map((name) => ({
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: { name, labels: { cluster: name } },
      spec: { hubAcceptsClient: true },
    })),
  ]
    .map((object) => JSON.stringify(object))
    .join('\n---\n');
}
