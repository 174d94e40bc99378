import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { ocmKinds } from '../client/kinds.ts';
import { celExpression } from './cel.ts';
import { environments, made, type Names } from './fleet.ts';
import { present, type Random } from './random.ts';

/** A label selector over the labels that clusters of a scenario have, or have not. */
export function labelSelector(random: Random): object {
  if (random.chance(0.1)) return {};
  return present({
    matchLabels: random.maybe(0.5, () => ({ env: random.pick(environments) })),
    matchExpressions: random.maybe(0.6, () =>
      random.times(random.between(1, 2), () => labelRequirement(random)),
    ),
  });
}

function labelRequirement(random: Random): object {
  const key = random.pick(['env', 'region', 'tier', 'vendor.example.com/model', 'none'] as const);
  const operator = random.pick(['In', 'In', 'NotIn', 'Exists', 'DoesNotExist'] as const);
  if (operator === 'Exists' || operator === 'DoesNotExist') return { key, operator };
  return {
    key,
    operator,
    values: random.sample([...environments, 'us-east-1', 'us-west-2', 'gold', '', 'a'], random.between(1, 3)),
  };
}

/** A selector over the claims that clusters have, or have not. */
export function claimSelector(random: Random): object {
  return {
    matchExpressions: random.times(random.between(1, 2), () => {
      const key = random.pick([
        'platform.open-cluster-management.io',
        'version.open-cluster-management.io',
        'zone',
      ] as const);
      const operator = random.pick(['In', 'In', 'NotIn', 'Exists', 'DoesNotExist'] as const);
      if (operator === 'Exists' || operator === 'DoesNotExist') return { key, operator };
      return {
        key,
        operator,
        values: random.sample(['aws', 'azure', 'gcp', '1.29.3', '1.31.0', 'z1', 'z2'], random.between(1, 3)),
      };
    }),
  };
}

function predicate(random: Random): object {
  return {
    requiredClusterSelector: present({
      labelSelector: random.maybe(0.6, () => labelSelector(random)),
      claimSelector: random.maybe(0.3, () => claimSelector(random)),
      celSelector: random.maybe(0.3, () => ({
        celExpressions: random.times(random.between(1, 2), () => celExpression(random)),
      })),
    }),
  };
}

function toleration(random: Random): object {
  // The hub takes a missing operator for Equal, and refuses a placement with one that contradicts itself.
  if (random.chance(0.1))
    return random.pick([
      { operator: 'Exists', value: 'x' },
      { value: 'yes' },
      { key: 'gpu', operator: 'Near' },
    ] as const);
  const key = random.pick([
    'gpu',
    'maintenance',
    'example.com/broken',
    'cluster.open-cluster-management.io/unavailable',
    'cluster.open-cluster-management.io/unreachable',
  ] as const);
  return present({
    ...(random.chance(0.5)
      ? { key, operator: 'Exists' }
      : {
          key,
          operator: random.pick(['Equal', undefined] as const),
          value: random.pick(['yes', 'true', ''] as const),
        }),
    effect: random.maybe(0.3, () => random.pick(['NoSelect', 'PreferNoSelect', 'NoSelectIfNew'] as const)),
    // Over at once or not for years: OCM's webhook sets the times of taints to that of their creation.
    tolerationSeconds: random.maybe(0.2, () => random.pick([0, 3_000_000_000] as const)),
  });
}

function prioritizer(random: Random): object {
  const scoreCoordinate = random.chance(0.6)
    ? {
        type: 'BuiltIn',
        builtIn: random.pick([
          'Balance',
          'Steady',
          'ResourceAllocatableCPU',
          'ResourceAllocatableMemory',
        ] as const),
      }
    : {
        type: 'AddOn',
        addOn: {
          resourceName: random.pick(['demo', 'demo', 'none'] as const),
          scoreName: random.pick(['cpu', 'gpu', 'zero', 'none'] as const),
        },
      };
  // Steady must not weigh less than nothing: the hub then changes its mind forever.
  const weight =
    scoreCoordinate.type === 'BuiltIn' && scoreCoordinate.builtIn === 'Steady'
      ? random.between(0, 10)
      : random.between(-10, 10);
  return present({ scoreCoordinate, weight: random.chance(0.2) ? undefined : weight });
}

function groupStrategy(random: Random): object {
  return present({
    decisionGroups: random.maybe(0.7, () =>
      random.sample(['g-prod', 'g-stage', 'g-dev', 'g-none'], random.between(1, 3)).map((groupName) => ({
        groupName,
        groupClusterSelector: random.chance(0.7)
          ? { labelSelector: { matchLabels: { env: groupName.slice(2) } } }
          : present({
              labelSelector: random.maybe(0.5, () => labelSelector(random)),
              claimSelector: random.maybe(0.7, () => claimSelector(random)),
            }),
      })),
    ),
    clustersPerDecisionGroup: random.maybe(0.6, () =>
      random.pick([1, 2, 3, 5, 0, '100%', '50%', '33%', '7%'] as const),
    ),
  });
}

export interface PlacementShape {
  /** Share of placements that want only some of the clusters, so that scores matter. */
  readonly numbered: number;
  /** Share of placements with decision groups. */
  readonly grouped: number;
  /** Share of placements with conditions on clusters. */
  readonly selective: number;
}

/** A Placement over the sets of a scenario. */
export function placement(
  random: Random,
  { scenario, placements }: Names,
  index: number,
  { numbered, grouped, selective }: PlacementShape,
): KubernetesObject {
  const sets = [`${scenario}-a`, `${scenario}-b`, `${scenario}-sel`, `${scenario}-missing`];
  return made(ocmKinds.placement, `${scenario}-pl${index}`, placements, {
    spec: present({
      clusterSets: random.maybe(0.5, () => random.sample(sets, random.between(1, 2))),
      numberOfClusters: random.maybe(numbered, () => random.between(0, 6)),
      predicates: random.maybe(selective, () => random.times(random.between(1, 2), () => predicate(random))),
      tolerations: random.maybe(0.5, () => random.times(random.between(1, 2), () => toleration(random))),
      prioritizerPolicy: random.maybe(numbered, () =>
        present({
          mode: random.pick(['Additive', 'Additive', 'Exact', undefined] as const),
          configurations: random.maybe(0.9, () =>
            random.times(random.between(1, 3), () => prioritizer(random)),
          ),
        }),
      ),
      decisionStrategy: random.maybe(grouped, () => ({ groupStrategy: groupStrategy(random) })),
    }),
  });
}
