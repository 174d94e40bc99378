import { stringify } from 'yaml';
import { Random, present } from '../hub/differential/random.ts';
import type { KubernetesObject } from '../../kubernetes/object-meta.ts';

const addOnGroup = 'addon.open-cluster-management.io';
const clusterGroup = 'cluster.open-cluster-management.io';

/** A random add-on with layers, and the values that the definition of layers assigns to each of its clusters. */
export interface Layering {
  readonly name: string;
  readonly mode: 'object' | 'placement' | 'inventory';
  readonly fleet: readonly KubernetesObject[];
  readonly app: readonly KubernetesObject[];
  /** By cluster, as far as placements select it. */
  readonly expected: ReadonlyMap<string, Values>;
}

/** The values of one cluster. Missing ones are undefined. */
export interface Values {
  readonly LEVEL?: string;
  readonly COUNT?: number;
  readonly PORTS?: readonly number[];
  readonly URL?: string;
  readonly nodes?: Readonly<Record<string, string>>;
}

interface Cluster {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

interface Placement {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

type Scope =
  | { readonly rank: 1 }
  | { readonly rank: 2; readonly placement: string }
  | { readonly rank: 3; readonly where: Readonly<Record<string, string | readonly string[]>> }
  | { readonly rank: 4; readonly cluster: string };

interface Layer {
  readonly scope: Scope;
  readonly values: Readonly<Record<string, unknown>>;
}

const regions = ['eu', 'us', 'ap'] as const;
const environments = ['prod', 'dev'] as const;

/** Returns the layering of a seed: 10 to 40 clusters, and 2 to 5 layers. */
export function randomLayering(seed: number): Layering {
  const random = new Random(seed);
  const name = `lay${seed}`;
  const clusters = random.times(random.between(10, 40), (index): Cluster => {
    const labels = { case: name, region: random.pick(regions), env: random.pick(environments) };
    return { name: `${name}-c${index}`, labels };
  });
  const placements: Placement[] = [
    { name: 'every', labels: { case: name } },
    ...random.some<Placement>(
      [
        { name: 'prod', labels: { case: name, env: 'prod' } },
        { name: 'eu', labels: { case: name, region: 'eu' } },
      ],
      0.5,
    ),
  ].slice(random.chance(0.2) ? 1 : 0);
  if (placements.length === 0) placements.push({ name: 'us', labels: { case: name, region: 'us' } });
  const layers = withoutConflicts(
    random.times(random.between(2, 5), () => randomLayer(random, clusters, placements)),
  );
  const mode = random.pick(['object', 'placement', 'inventory'] as const);
  return {
    name,
    mode,
    fleet: clusters.map(managedCluster),
    app: appOf(name, mode, placements, layers),
    expected: expectedValues(clusters, placements, layers),
  };
}

function randomLayer(random: Random, clusters: readonly Cluster[], placements: readonly Placement[]): Layer {
  const scope = random.pick<() => Scope>([
    () => ({ rank: 1 }),
    () => ({ rank: 2, placement: random.pick(placements).name }),
    () => ({ rank: 3, where: { region: random.pick(regions) } }),
    () => ({ rank: 3, where: { region: [...random.sample(regions, 2)], env: random.pick(environments) } }),
    () => ({ rank: 4, cluster: random.pick(clusters).name }),
    () => ({ rank: 4, cluster: random.pick(clusters).name }),
  ])();
  const values = {
    LEVEL: random.maybe(0.4, () => random.pick(['debug', 'info', null])),
    COUNT: random.maybe(0.4, () => random.pick([0, 1, 5, { $fact: 'cluster.labels.count', $default: 7 }])),
    PORTS: random.maybe(0.3, () => random.pick([[1], [2, 3], { $append: [4] }])),
    URL: random.maybe(0.2, () => ({
      $text: 'https://${cluster.labels.region}.example.com/${parameters.COUNT}',
    })),
    nodes: random.maybe(0.5, () =>
      random.pick([
        { nodeSelector: { disk: 'ssd' } },
        { nodeSelector: { disk: null, zone: 'a' } },
        { nodeSelector: { zone: 'b' } },
        { $replace: { nodeSelector: { only: 'this' } } },
      ]),
    ),
  };
  return { scope, values: present(values) };
}

/** Layers of equal rank without an order that set the same value are an error. The first of them stays. */
function withoutConflicts(layers: readonly Layer[]): Layer[] {
  const taken = new Set<string>();
  return layers.map(({ scope, values }) => {
    const scopeText = scope.rank === 3 ? undefined : JSON.stringify(scope);
    const entries = Object.entries(values).filter(([name]) => {
      if (scopeText === undefined) return true;
      const key = `${scopeText} ${name}`;
      if (taken.has(key)) return false;
      taken.add(key);
      return true;
    });
    return { scope, values: Object.fromEntries(entries) };
  });
}

const defaults = { LEVEL: 'info', COUNT: 2, PORTS: [0], nodes: { nodeSelector: { os: 'linux' } } };

/** The definition of layers, cluster by cluster and layer by layer. */
function expectedValues(
  clusters: readonly Cluster[],
  placements: readonly Placement[],
  layers: readonly Layer[],
): ReadonlyMap<string, Values> {
  const expected = new Map<string, Values>();
  for (const cluster of clusters) {
    const selecting = placements.filter(({ labels }) => matches(cluster, labels)).map(({ name }) => name);
    if (selecting.length === 0) continue;
    const position = ({ scope }: Layer): number =>
      scope.rank * 100 +
      (scope.rank === 2 ? placements.findIndex(({ name }) => name === scope.placement) : 0);
    const applying = layers
      .filter(({ scope }) => {
        if (scope.rank === 2) return selecting.includes(scope.placement);
        if (scope.rank === 3) return matches(cluster, scope.where);
        return scope.rank === 1 || scope.cluster === cluster.name;
      })
      .sort((a, b) => position(a) - position(b));
    let merged: unknown = defaults;
    for (const { values } of applying) merged = mergedValue(merged, values);
    const values = merged as Record<string, unknown>;
    const count = typeof values['COUNT'] === 'object' ? 7 : values['COUNT'];
    const { nodeSelector } = (values['nodes'] ?? {}) as { readonly nodeSelector?: Record<string, string> };
    expected.set(
      cluster.name,
      present({
        LEVEL: values['LEVEL'] as string | undefined,
        COUNT: count as number,
        PORTS: values['PORTS'] as number[],
        URL:
          values['URL'] === undefined
            ? undefined
            : `https://${cluster.labels['region'] ?? ''}.example.com/${JSON.stringify(count)}`,
        nodes: nodeSelector,
      }),
    );
  }
  return expected;
}

function matches({ labels }: Cluster, where: Readonly<Record<string, string | readonly string[]>>): boolean {
  return Object.entries(where).every(([key, value]) => [value].flat().includes(labels[key] ?? ''));
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mergedValue(before: unknown, value: unknown): unknown {
  if (!isMap(value) || '$fact' in value || '$text' in value) return value;
  if ('$replace' in value) return value['$replace'];
  if ('$append' in value)
    return [...((before as unknown[] | undefined) ?? []), ...(value['$append'] as unknown[])];
  const result: Record<string, unknown> = isMap(before) ? { ...before } : {};
  for (const [key, item] of Object.entries(value)) {
    if (item === null) delete result[key];
    else result[key] = mergedValue(result[key], item);
  }
  return result;
}

function managedCluster({ name, labels }: Cluster): KubernetesObject {
  return {
    apiVersion: `${clusterGroup}/v1`,
    kind: 'ManagedCluster',
    metadata: { name, labels },
    spec: { hubAcceptsClient: true, leaseDurationSeconds: 3600 },
    status: {
      conditions: [
        {
          type: 'ManagedClusterConditionAvailable',
          status: 'True',
          reason: 'Reported',
          message: '',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    },
  };
}

function appOf(
  name: string,
  mode: Layering['mode'],
  placements: readonly Placement[],
  layers: readonly Layer[],
): KubernetesObject[] {
  const namespace = `${name}-ns`;
  const parameters = {
    LEVEL: { type: 'enum', values: ['debug', 'info'], default: defaults.LEVEL },
    COUNT: { type: 'integer', min: 0, default: defaults.COUNT },
    PORTS: { type: 'list', items: { type: 'integer' }, default: defaults.PORTS },
    URL: { type: 'string' },
    nodes: { type: 'object', field: 'nodePlacement', default: defaults.nodes },
  };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    {
      apiVersion: `${clusterGroup}/v1beta2`,
      kind: 'ManagedClusterSetBinding',
      metadata: { name: 'global', namespace },
      spec: { clusterSet: 'global' },
    },
    ...placements.map((placement) => ({
      apiVersion: `${clusterGroup}/v1beta1`,
      kind: 'Placement',
      metadata: { name: placement.name, namespace },
      spec: {
        predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: placement.labels } } }],
      },
    })),
    {
      apiVersion: `${addOnGroup}/v1alpha1`,
      kind: 'AddOnTemplate',
      metadata: { name },
      spec: { addonName: name, agentSpec: { workload: { manifests: manifestsOf(parameters) } } },
    },
    {
      apiVersion: `${addOnGroup}/v1beta1`,
      kind: 'ClusterManagementAddOn',
      metadata: {
        name,
        annotations: {
          'addon.open-cluster-management.io/lifecycle': 'addon-manager',
          'fleetwright.dev/override': mode,
        },
      },
      spec: {
        defaultConfigs: [{ group: addOnGroup, resource: 'addontemplates', name }],
        installStrategy: {
          type: 'Placements',
          placements: placements.map((placement) => ({ name: placement.name, namespace })),
        },
      },
    },
    {
      apiVersion: 'fleetwright.dev/v1alpha1',
      kind: 'AddOnParameters',
      metadata: { name, namespace },
      spec: { parameters, layers: layers.map(({ scope, values }) => ({ ...scopeOf(scope), values })) },
    },
  ];
}

function scopeOf(scope: Scope): object {
  if (scope.rank === 1) return {};
  if (scope.rank === 2) return { placement: scope.placement };
  return scope.rank === 3 ? { where: scope.where } : { cluster: scope.cluster };
}

function manifestsOf(parameters: object): object[] {
  const variables = Object.keys(parameters).filter((name) => name !== 'nodes');
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'values', namespace: 'default' },
      data: Object.fromEntries(variables.map((name) => [name, `{{${name}}}`])),
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'agent', namespace: 'default' },
      spec: {
        selector: { matchLabels: { app: 'agent' } },
        template: {
          metadata: { labels: { app: 'agent' } },
          spec: { containers: [{ name: 'agent', image: 'example.com/agent' }] },
        },
      },
    },
  ];
}

/** Returns objects as YAML. */
export function textOf(objects: readonly object[]): string {
  return objects.map((object) => `---\n${stringify(object, { aliasDuplicateObjects: false })}`).join('');
}

/** Returns the values in the manifests of a work. The hub replaces a variable without a value by an empty text. */
export function valuesInWork(manifests: readonly object[]): Values {
  const data: Record<string, string> = {};
  let nodes: Readonly<Record<string, string>> | undefined;
  for (const manifest of manifests as readonly Manifest[]) {
    Object.assign(data, manifest.data);
    nodes ??= manifest.spec?.template?.spec?.nodeSelector;
  }
  const set = (name: string): string | undefined => (data[name] === '' ? undefined : data[name]);
  const [count, ports] = [set('COUNT'), set('PORTS')];
  return present({
    LEVEL: set('LEVEL'),
    COUNT: count === undefined ? undefined : Number(count),
    PORTS: ports === undefined ? undefined : (JSON.parse(ports) as number[]),
    URL: set('URL'),
    nodes,
  });
}

interface Manifest {
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: { readonly spec?: { readonly nodeSelector?: Readonly<Record<string, string>> } };
  };
}
