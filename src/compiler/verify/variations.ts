import type {
  PlacementV1beta1,
  PlacementV1beta1ClusterPredicate,
  PlacementV1beta1PrioritizerConfig,
  PlacementV1beta1Toleration,
} from '../../../schemas/types.gen.ts';
import { celVariation } from './cel-variation.ts';
import type { Seeded } from './seeded.ts';
import type { NamedValues, Vocabulary } from './vocabulary.ts';

type Spec = PlacementV1beta1['spec'];
type Change = (spec: Spec, random: Seeded, words: Vocabulary, namespace: string) => Spec;

/** What a Placement of the hub never has, so that selectors sometimes match nothing. */
const unknown: NamedValues = { key: 'fleetwright.example.com/unknown', values: ['unknown'] };

/**
 * Returns a random variation of a Placement, in its namespace: other predicates, tolerations, prioritizers, sets, or another number.
 * The API server would accept it. Its name is not that of a Placement on the hub, so no earlier decision counts for it.
 */
export function variationOf(
  placement: PlacementV1beta1,
  name: string,
  random: Seeded,
  words: Vocabulary,
): PlacementV1beta1 {
  const { namespace = '' } = placement.metadata;
  let { spec } = placement;
  for (const change of random.sample(changes, random.between(1, 4)))
    spec = change(spec, random, words, namespace);
  return { ...placement, metadata: { name, namespace }, spec };
}

const changes: readonly Change[] = [
  (spec, random, words) => ({ ...spec, predicates: predicates(random, words) }),
  (spec, random, words) => ({ ...spec, predicates: [...(spec.predicates ?? []), predicate(random, words)] }),
  ({ predicates: _, ...spec }) => spec,
  (spec, random, words) => ({
    ...spec,
    tolerations: [...random.times(random.between(1, 2), () => toleration(random, words))],
  }),
  ({ numberOfClusters: _, ...spec }) => spec,
  (spec, random, { clusters }) => ({
    ...spec,
    numberOfClusters: random.between(0, Math.min(clusters + 1, 50)),
  }),
  (spec, random, { clusters }) => ({ ...spec, numberOfClusters: random.between(1, Math.max(1, clusters)) }),
  (spec, random, words) => ({
    ...spec,
    numberOfClusters: random.between(1, Math.max(1, words.clusters - 1)),
    prioritizerPolicy: {
      mode: random.pick(['Additive', 'Exact'], 'Additive'),
      configurations: [...random.times(random.between(1, 3), () => prioritizer(random, words))],
    },
  }),
  (spec, random, words, namespace) => {
    const sets = words.setsOf(namespace);
    const { clusterSets: _, ...others } = spec;
    return sets.length === 0 || random.chance(0.3)
      ? others
      : { ...spec, clusterSets: [...random.sample(sets, random.between(1, 2))] };
  },
];

function predicates(random: Seeded, words: Vocabulary): PlacementV1beta1ClusterPredicate[] {
  return [...random.times(random.between(1, 2), () => predicate(random, words))];
}

function predicate(random: Seeded, words: Vocabulary): PlacementV1beta1ClusterPredicate {
  const hasLabels = random.chance(0.6);
  return {
    requiredClusterSelector: {
      ...(hasLabels && { labelSelector: labelSelector(random, words) }),
      ...(random.chance(0.3) && {
        claimSelector: { matchExpressions: requirements(random, words.claims) },
      }),
      ...((!hasLabels || random.chance(0.2)) && {
        celSelector: { celExpressions: [celVariation(random, words)] },
      }),
    },
  };
}

function labelSelector(random: Seeded, words: Vocabulary) {
  const { key, values } = random.pick(words.labels, unknown);
  return random.chance(0.5)
    ? { matchLabels: { [key]: random.pick(values, '') } }
    : { matchExpressions: requirements(random, words.labels) };
}

function requirements(random: Seeded, words: readonly NamedValues[]) {
  return [
    ...random.times(random.between(1, 2), () => {
      const { key, values } = random.chance(0.1) ? unknown : random.pick(words, unknown);
      const operator = random.pick(['In', 'In', 'NotIn', 'Exists', 'DoesNotExist'], 'Exists');
      return operator === 'Exists' || operator === 'DoesNotExist'
        ? { key, operator }
        : { key, operator, values: [...random.sample(values, random.between(1, 3))] };
    }),
  ];
}

function toleration(random: Seeded, words: Vocabulary): PlacementV1beta1Toleration {
  const { key, values } = random.pick(words.taints, unknown);
  return {
    key,
    ...(random.chance(0.5)
      ? { operator: 'Exists' as const }
      : { operator: 'Equal' as const, value: random.pick(values, '') }),
    ...(random.chance(0.3) && {
      effect: random.pick(['NoSelect', 'PreferNoSelect', 'NoSelectIfNew'] as const, 'NoSelect'),
    }),
    // Long over, or not for years: no time passes between the prediction and the answer.
    ...(random.chance(0.2) && { tolerationSeconds: random.pick([0, 3_000_000_000], 0) }),
  };
}

const builtIns = ['Balance', 'Steady', 'ResourceAllocatableCPU', 'ResourceAllocatableMemory'] as const;

function prioritizer(random: Seeded, words: Vocabulary): PlacementV1beta1PrioritizerConfig {
  const weight = random.between(-10, 10);
  if (words.scores.length > 0 && random.chance(0.4)) {
    const addOn = random.pick(words.scores, { resourceName: unknown.key, scoreName: 'unknown' });
    return { scoreCoordinate: { type: 'AddOn', addOn }, weight };
  }
  return { scoreCoordinate: { type: 'BuiltIn', builtIn: random.pick(builtIns, 'Balance') }, weight };
}
