import type { LabelSelector, LabelSelectorRequirement } from '../../../schemas/types.gen.ts';
import type { Layer, LayerCondition } from './model.ts';

/** A condition of a layer. */
export interface SelectingCondition {
  readonly layer: Layer;
  readonly where: LayerCondition;
  readonly isSelected: (cluster: string) => boolean;
}

/** Clusters of a placement with the same values. */
export interface ValueGroup {
  /** Sorted by name. */
  readonly clusters: readonly string[];
  /** Some of the clusters. The conditions of each other cluster are those of one of them. */
  readonly examples: readonly string[];
}

/** A group of clusters, and the condition that selects it among the clusters of its placement. */
export interface GroupSelection {
  readonly clusters: readonly string[];
  /** Selects the clusters, and otherwise only clusters of later groups. Undefined if no conditions of layers do. */
  readonly condition: LayerCondition | undefined;
  /** The titles of the layers whose conditions select the group. */
  readonly layers: readonly string[];
}

/** Clusters that the same conditions select. */
interface Pattern {
  /** By condition. */
  readonly selected: readonly boolean[];
  /** The position of the first group with such a cluster; -1 for the usual clusters. */
  first: number;
}

/**
 * Finds a condition for each group: that of one layer, or several together, some of them negated. The time grows with groups
 * times the combinations of conditions that clusters have.
 *
 * @returns the groups in the order in which a later one is stronger
 */
export function selectGroups(
  usual: ValueGroup,
  groups: readonly ValueGroup[],
  conditions: readonly SelectingCondition[],
): readonly GroupSelection[] {
  const patterns = new Map<string, Pattern>();
  const patternsOf = ({ examples }: ValueGroup): Set<Pattern> => {
    const found = new Set<Pattern>();
    for (const cluster of examples) {
      const selected = conditions.map(({ isSelected }) => isSelected(cluster));
      const key = selected.map(Number).join('');
      let pattern = patterns.get(key);
      if (pattern === undefined) patterns.set(key, (pattern = { selected, first: Infinity }));
      found.add(pattern);
    }
    return found;
  };
  for (const pattern of patternsOf(usual)) pattern.first = -1;
  const ordered = groups
    .map((group) => {
      const own = [...patternsOf(group)];
      const all = conditions.flatMap((_each, index) =>
        own.every(({ selected }) => selected[index]) ? [index] : [],
      );
      const none = conditions.flatMap((_each, index) =>
        own.some(({ selected }) => selected[index]) ? [] : [index],
      );
      return { clusters: group.clusters, own, all, none };
    })
    // A stable sort: of two groups with as many conditions, the larger one comes first.
    .sort((a, b) => a.all.length - b.all.length);
  for (const [position, { own }] of ordered.entries())
    for (const pattern of own) pattern.first = Math.min(pattern.first, position);
  return ordered.map(({ clusters, all, none }, position) => {
    const earlier = [...patterns.values()].filter(({ first }) => first < position);
    const selects = (
      { selected }: Pattern,
      positive: readonly number[],
      negative: readonly number[],
    ): boolean => positive.every((index) => selected[index]) && !negative.some((index) => selected[index]);
    const alone = all.find((index) => !earlier.some((pattern) => selects(pattern, [index], [])));
    if (alone !== undefined) return selectionOf(clusters, conditions, [alone], []);
    const left = earlier.filter((pattern) => selects(pattern, all, []));
    const negative = none.filter(
      (index) =>
        negated(conditions[index]?.where) !== undefined &&
        left.some(({ selected }) => selected[index] === true),
    );
    return left.some((pattern) => selects(pattern, all, negative))
      ? { clusters, condition: undefined, layers: [] }
      : selectionOf(clusters, conditions, all, negative);
  });
}

function selectionOf(
  clusters: readonly string[],
  conditions: readonly SelectingCondition[],
  positive: readonly number[],
  negative: readonly number[],
): GroupSelection {
  const chosen = positive.flatMap((index) => conditions[index] ?? []);
  const parts = [
    ...chosen.map(({ where }) => where),
    ...negative.flatMap((index) => negated(conditions[index]?.where) ?? []),
  ];
  const [only, ...others] = parts;
  return {
    clusters,
    condition: others.length === 0 ? only : together(parts),
    layers: chosen.map(({ layer }) => layer.title),
  };
}

/** Returns the condition that all others are true. */
function together(parts: readonly LayerCondition[]): LayerCondition {
  const labels = parts.flatMap((part) => requirements(part.labels));
  const claims = parts.flatMap((part) => requirements(part.claims));
  return {
    ...(labels.length > 0 && { labels: { matchExpressions: labels } }),
    ...(claims.length > 0 && { claims: { matchExpressions: claims } }),
  };
}

const opposites: Readonly<Record<string, string>> = {
  In: 'NotIn',
  NotIn: 'In',
  Exists: 'DoesNotExist',
  DoesNotExist: 'Exists',
};

/** Returns the condition that selects all other clusters. Undefined if a selector cannot express it. */
function negated(condition: LayerCondition | undefined): LayerCondition | undefined {
  const [labels, claims] = [requirements(condition?.labels), requirements(condition?.claims)];
  const [only, ...others] = [...labels, ...claims];
  const operator = opposites[only?.operator ?? ''];
  if (only === undefined || operator === undefined || others.length > 0) return undefined;
  const matchExpressions = [{ ...only, operator }];
  return labels.length > 0 ? { labels: { matchExpressions } } : { claims: { matchExpressions } };
}

/** Returns a selector as a list of requirements. */
export function requirements({
  matchLabels = {},
  matchExpressions = [],
}: LabelSelector = {}): LabelSelectorRequirement[] {
  const pairs = Object.entries(matchLabels).map(([key, value]) => ({ key, operator: 'In', values: [value] }));
  return [...pairs, ...matchExpressions];
}
