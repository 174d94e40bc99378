import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { namespaceKind, ocmKinds, reference, type KindOf } from '../client/kinds.ts';
import { present, type Random } from './random.ts';

/** The prefix of all names of one scenario, and the namespaces of its objects. */
export interface Names {
  /** Unique on the hub: the prefix of all names, and the value of the label `case` on the clusters. */
  readonly scenario: string;
  /** Of placements and bindings. */
  readonly placements: string;
  /** Of configurations. */
  readonly configs: string;
}

export function namesOf(scenario: string): Names {
  return { scenario, placements: `${scenario}-ns`, configs: `${scenario}-cfg` };
}

/** An object of a kind with a spec. */
export function made(
  kind: KindOf,
  name: string,
  namespace: string | undefined,
  rest: object,
): KubernetesObject {
  return { ...reference(kind, name, namespace), ...rest };
}

export const environments = ['prod', 'stage', 'dev'] as const;
const regions = ['us-east-1', 'us-west-2', 'eu-central-1'] as const;
const platforms = ['aws', 'azure', 'gcp'] as const;
const versions = ['1.29.3', '1.30.1', '1.31.0', '1.32.0-rc.1+build'] as const;
const exclusiveLabel = 'cluster.open-cluster-management.io/clusterset';
const longAgo = '2026-01-01T00:00:00Z';

/** Cluster sets of every kind, with bindings to the placements' namespace; not every set is bound, nor every binding valid. */
export function clusterSets(random: Random, { scenario, placements }: Names): KubernetesObject[] {
  const exclusive = (name: string): KubernetesObject =>
    made(ocmKinds.managedClusterSet, name, undefined, {
      spec: { clusterSelector: { selectorType: 'ExclusiveClusterSetLabel' } },
    });
  const selecting = made(ocmKinds.managedClusterSet, `${scenario}-sel`, undefined, {
    spec: {
      clusterSelector: {
        selectorType: 'LabelSelector',
        labelSelector: random.chance(0.5)
          ? { matchLabels: { case: scenario, env: random.pick(environments) } }
          : {
              matchLabels: { case: scenario },
              matchExpressions: [
                {
                  key: 'env',
                  operator: random.pick(['In', 'NotIn'] as const),
                  values: random.sample(environments, random.between(1, 2)),
                },
              ],
            },
      },
    },
  });
  const binding = (set: string): KubernetesObject =>
    made(ocmKinds.managedClusterSetBinding, set, placements, { spec: { clusterSet: set } });
  const sets = [
    exclusive(`${scenario}-a`),
    ...random.some([exclusive(`${scenario}-b`)], 0.6),
    ...random.some([selecting], 0.5),
  ];
  return [
    ...sets,
    ...sets
      .filter((_, index) => index === 0 || random.chance(0.8))
      .map(({ metadata }) => binding(metadata.name ?? '')),
    ...random.some([binding(`${scenario}-missing`)], 0.1),
  ];
}

/** Namespaces for placements and configurations. */
export function namespaces({ placements, configs }: Names): KubernetesObject[] {
  return [reference(namespaceKind, placements), reference(namespaceKind, configs)];
}

export function clusterName({ scenario }: Names, index: number): string {
  return `${scenario}-c${String(index + 1).padStart(2, '0')}`;
}

/** How far a fleet strays from clusters that are all well. */
export interface FleetShape {
  readonly clusters: number;
  /** Share of clusters with taints, or that are not available. */
  readonly trouble: number;
}

export function clusters(
  random: Random,
  names: Names,
  { clusters: count, trouble }: FleetShape,
): KubernetesObject[] {
  return random.times(count, (index) => cluster(random, names, clusterName(names, index), trouble));
}

function cluster(random: Random, { scenario }: Names, name: string, trouble: number): KubernetesObject {
  const version = random.pick(versions);
  const available = random.chance(trouble / 3) ? random.pick(['False', 'Unknown'] as const) : 'True';
  const set = random.chance(0.85) ? random.pick(['a', 'a', 'a', 'b'] as const) : undefined;
  return made(ocmKinds.managedCluster, name, undefined, {
    metadata: {
      name,
      labels: present({
        case: scenario,
        [exclusiveLabel]: set === undefined ? undefined : `${scenario}-${set}`,
        env: random.maybe(0.95, () => random.pick(environments)),
        region: random.maybe(0.8, () => random.pick(regions)),
        tier: random.maybe(0.3, () => random.pick(['gold', 'silver', ''] as const)),
        'vendor.example.com/model': random.maybe(0.3, () => random.pick(['a', 'b'] as const)),
      }),
      ...random.maybe(0.2, () => ({ annotations: annotations(random) })),
    },
    spec: present({
      hubAcceptsClient: true,
      leaseDurationSeconds: 3600,
      taints: someOf([...(random.chance(trouble) ? taints(random) : []), ...outageTaints[available]]),
    }),
    status: present({
      conditions: [
        {
          type: 'ManagedClusterConditionAvailable',
          status: available,
          reason: 'Reported',
          message: 'as the scenario says',
          lastTransitionTime: longAgo,
        },
      ],
      clusterClaims: [
        { name: 'platform.open-cluster-management.io', value: random.pick(platforms) },
        { name: 'version.open-cluster-management.io', value: version },
        ...random.some([{ name: 'zone', value: `z${random.between(1, 3)}` }], 0.5),
      ],
      version: { kubernetes: `v${version}` },
      allocatable: { cpu: quantity(random, 64), memory: `${random.between(8, 256)}Gi` },
      capacity: { cpu: random.pick(['64', '64000m', '128'] as const), memory: '256Gi' },
    }),
  });
}

/**
 * The taints of clusters in an outage. The hub's controllers would set them themselves; their time would be the webhook's
 * to set, which this hub does not run.
 */
const outageTaints = {
  True: [],
  False: [{ key: 'cluster.open-cluster-management.io/unavailable', effect: 'NoSelect', timeAdded: longAgo }],
  Unknown: [
    { key: 'cluster.open-cluster-management.io/unreachable', effect: 'NoSelect', timeAdded: longAgo },
  ],
} as const;

function someOf<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}

function quantity(random: Random, most: number): string {
  return random.chance(0.8) ? String(random.between(1, most)) : `${random.between(1, most * 1000)}m`;
}

function taints(random: Random): object[] {
  const keys = random.sample(['gpu', 'maintenance', 'example.com/broken'], random.between(1, 2));
  return keys.map((key) =>
    present({
      key,
      value: random.maybe(0.6, () => random.pick(['yes', 'true', ''] as const)),
      effect: random.pick(['NoSelect', 'NoSelect', 'PreferNoSelect', 'NoSelectIfNew'] as const),
      timeAdded: longAgo,
    }),
  );
}

function annotations(random: Random): Record<string, string> {
  const registries = random.times(random.between(0, 2), () =>
    present({
      source: random.maybe(0.7, () => random.pick(['quay.io/ocm', 'docker.io/library', ''] as const)),
      mirror: random.pick(['cluster.mirror/ocm', 'cluster.mirror/', ''] as const),
    }),
  );
  return present({
    'open-cluster-management.io/image-registries': random.maybe(0.6, () => JSON.stringify({ registries })),
    'addon.open-cluster-management.io/values': random.maybe(0.3, () => '{"a":1}'),
    'addon.open-cluster-management.io-suffix': random.maybe(0.2, () => 'kept'),
    'example.com/other': random.maybe(0.3, () => 'not copied'),
  });
}

/** Scores that other tools publish of clusters. Some expired long ago, some never will. */
export function scores(random: Random, names: Names, count: number): KubernetesObject[] {
  return random
    .times(count, (index) => clusterName(names, index))
    .filter(() => random.chance(0.7))
    .map((name) =>
      made(ocmKinds.addOnPlacementScore, 'demo', name, {
        status: present({
          validUntil: random.maybe(0.3, () =>
            random.pick(['2026-01-01T00:00:00Z', '2099-01-01T00:00:00Z'] as const),
          ),
          scores: random
            .some(['cpu', 'gpu', 'zero'], 0.8)
            .map((score) => ({ name: score, value: score === 'zero' ? 0 : random.between(-100, 100) })),
        }),
      }),
    );
}
