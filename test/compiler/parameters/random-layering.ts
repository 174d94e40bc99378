import { Random, present } from '../../hub/differential/random.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { evaluateLayers } from './layer-definition.ts';
import { appOf, fleetOf } from './layering-objects.ts';

/** A random add-on with layers, and the values that the definition of layers assigns to each of its clusters. */
export interface Layering {
  readonly name: string;
  readonly mode: OverrideMode;
  readonly fleet: readonly KubernetesObject[];
  readonly app: readonly KubernetesObject[];
  /** By cluster, as far as placements select it. */
  readonly expected: ReadonlyMap<string, Values>;
}

export type OverrideMode = 'object' | 'placement' | 'inventory';

export const overrideModes: readonly OverrideMode[] = ['object', 'placement', 'inventory'];

/** The values of one cluster. Missing ones are undefined. */
export interface Values {
  readonly LEVEL?: string;
  readonly COUNT?: number;
  readonly PORTS?: readonly number[];
  readonly URL?: string;
  readonly nodes?: Readonly<Record<string, string>>;
}

export type Labels = Readonly<Record<string, string>>;

/** A cluster of a layering. Its labels and claims begin with the name of the layering, so that layerings can share clusters. */
export interface Cluster {
  readonly name: string;
  readonly labels: Labels;
  readonly claims: Labels;
  readonly cpu: string;
  readonly version: string;
}

export interface SelectingPlacement {
  readonly name: string;
  readonly labels: Labels;
}

/** A ManagedClusterSet that selects clusters by labels, so that a cluster can be in several. */
export interface ClusterSet {
  readonly name: string;
  readonly labels: Labels;
}

export type Scope =
  | { readonly rank: 'hub'; readonly hub: string }
  | { readonly rank: 'add-on' }
  | { readonly rank: 'placement'; readonly placement: string }
  | {
      readonly rank: 'where';
      readonly where?: Readonly<Record<string, string | readonly string[]>>;
      readonly claims?: Labels;
      readonly sets?: readonly string[];
    }
  | { readonly rank: 'cluster'; readonly clusters: readonly string[] };

export interface Layer {
  readonly scope: Scope;
  readonly values: Readonly<Record<string, unknown>>;
}

/** What a layering is made of. */
export interface Parts {
  readonly name: string;
  readonly clusters: readonly Cluster[];
  readonly sets: readonly ClusterSet[];
  readonly placements: readonly SelectingPlacement[];
  readonly layers: readonly Layer[];
}

const regions = ['eu', 'us', 'ap'] as const;
const environments = ['prod', 'dev'] as const;
const zones = ['a', 'b'] as const;

/** The values of the add-on that no layer sets. */
export const defaults = { LEVEL: 'info', COUNT: 2, PORTS: [0], nodes: { nodeSelector: { os: 'linux' } } };

/** Returns the layering of a seed: 10 to 40 clusters, and 2 to 5 layers. */
export function randomLayering(seed: number): Layering {
  const random = new Random(seed);
  const mode = random.pick(overrideModes);
  return layeringOf(randomParts(random, `lay${seed}`), mode);
}

/** Returns the layering of parts, with the values of each cluster. */
export function layeringOf(parts: Parts, mode: OverrideMode): Layering {
  return {
    name: parts.name,
    mode,
    fleet: fleetOf(parts),
    app: appOf(parts, mode),
    expected: evaluateLayers(parts),
  };
}

/** Returns the parts of a random layering. */
export function randomParts(random: Random, name: string): Parts {
  const clusters = random.times(random.between(10, 40), (index): Cluster => {
    const labels = {
      [`${name}-case`]: 'yes',
      [`${name}-region`]: random.pick(regions),
      [`${name}-env`]: random.pick(environments),
      ...(random.chance(0.5) && { [`${name}-count`]: String(random.between(3, 5)) }),
    };
    return {
      name: `lay-c${index}`,
      labels,
      claims: { [`zone.${name}`]: random.pick(zones) },
      // These are not of the layering, so they follow from the cluster.
      cpu: index % 3 === 0 ? '8' : '16500m',
      version: index % 2 === 0 ? 'v1.33.1' : 'v1.34.0',
    };
  });
  const all = { [`${name}-case`]: 'yes' };
  const [inProd, inEurope] = [{ [`${name}-env`]: 'prod' }, { [`${name}-region`]: 'eu' }];
  const sets = [
    { name: `${name}-eu`, labels: inEurope },
    { name: `${name}-prod`, labels: inProd },
  ];
  const placements: SelectingPlacement[] = [
    { name: 'every', labels: all },
    ...random.some<SelectingPlacement>(
      [
        { name: 'prod', labels: { ...all, ...inProd } },
        { name: 'eu', labels: { ...all, ...inEurope } },
      ],
      0.5,
    ),
  ].slice(random.chance(0.2) ? 1 : 0);
  if (placements.length === 0) placements.push({ name: 'us', labels: { ...all, [`${name}-region`]: 'us' } });
  const parts = { name, clusters, sets, placements, layers: [] };
  const layers = random.times(random.between(2, 5), () => randomLayer(random, parts));
  return { ...parts, layers: withoutConflicts(layers) };
}

/** Returns a layer of any rank. */
function randomLayer(random: Random, { name, clusters, sets, placements }: Parts): Layer {
  const oneRegion = (): Labels => ({ [`${name}-region`]: random.pick(regions) });
  const scope = random.pick<() => Scope>([
    () => ({ rank: 'hub', hub: random.pick(['*', 'elsewhere']) }),
    () => ({ rank: 'add-on' }),
    () => ({ rank: 'placement', placement: random.pick(placements).name }),
    () => ({ rank: 'where', where: oneRegion() }),
    () => ({
      rank: 'where',
      where: { [`${name}-region`]: random.sample(regions, 2), [`${name}-env`]: random.pick(environments) },
    }),
    () => ({ rank: 'where', claims: { [`zone.${name}`]: random.pick(zones) } }),
    () => ({ rank: 'where', sets: random.sample(sets, random.between(1, 2)).map((set) => set.name) }),
    () => ({ rank: 'where', where: oneRegion(), claims: { [`zone.${name}`]: random.pick(zones) } }),
    () => ({ rank: 'cluster', clusters: [random.pick(clusters).name] }),
    () => ({ rank: 'cluster', clusters: random.sample(clusters, 3).map((cluster) => cluster.name) }),
  ])();
  const values = {
    LEVEL: random.maybe(0.4, () => random.pick(['debug', 'info', null])),
    COUNT: random.maybe(0.4, () =>
      random.pick([
        0,
        1,
        { $fact: `cluster.labels.${name}-count`, $default: 7 },
        { $fact: 'cluster.allocatable.cpu' },
      ]),
    ),
    PORTS: random.maybe(0.3, () => random.pick([[1], [2, 3], { $append: [4] }])),
    URL: random.maybe(0.3, () => ({
      $text: random.pick([
        `https://\${cluster.labels.${name}-region}.example.com/\${parameters.COUNT}`,
        `https://\${cluster.claims.zone.${name}}.example.com/\${cluster.version}/\${cluster.set}`,
      ]),
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

/** Layers of equal rank without an order that set the same value of a cluster are an error. The first of them stays. */
function withoutConflicts(layers: readonly Layer[]): Layer[] {
  const taken = new Set<string>();
  return layers.map(({ scope, values }) => {
    const keys = (value: string): string[] => {
      if (scope.rank === 'where') return [];
      if (scope.rank === 'cluster') return scope.clusters.map((cluster) => `${cluster} ${value}`);
      return [`${JSON.stringify(scope)} ${value}`];
    };
    const entries = Object.entries(values).filter(([name]) => keys(name).every((key) => !taken.has(key)));
    for (const [name] of entries) for (const key of keys(name)) taken.add(key);
    return { scope, values: Object.fromEntries(entries) };
  });
}
