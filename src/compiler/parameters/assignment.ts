import { addToGroup, groupBy } from '../../base/collections/groups.ts';
import { selectGroups, type SelectingCondition, type ValueGroup } from './group-conditions.ts';
import type { LayerCondition, ParameterValues } from './model.ts';

/** Clusters with the same values, apart from those with the values of their placement. */
export interface OverrideGroup {
  readonly values: ParameterValues;
  readonly clusters: readonly string[];
  /** The part of generated names for this group: its conditions, or its strongest layer. */
  readonly title: string;
  /** Selects the clusters among those of the placement, and only groups that follow. @default - no condition does */
  readonly condition?: LayerCondition | undefined;
}

/** The values of a placement's clusters. */
export interface PlacementAssignment {
  /** The values that most clusters have. Undefined for a placement without clusters. */
  readonly usual: ParameterValues | undefined;
  /** Groups with fewer conditions first, so that later ones can select a part of their clusters. */
  readonly groups: readonly OverrideGroup[];
}

/**
 * Divides clusters into those with the usual values and groups with others.
 *
 * @param clusters - sorted
 * @param contentOf - equal for values that have the same configuration
 * @param conditions - conditions of layers, with the clusters that each selects
 */
export function assignValues(
  clusters: readonly string[],
  values: ReadonlyMap<string, ParameterValues>,
  contentOf: (values: ParameterValues) => string,
  conditions: readonly SelectingCondition[],
): PlacementAssignment {
  const byValues = new Map<ParameterValues, string[]>();
  for (const cluster of clusters) {
    const ofCluster = values.get(cluster);
    if (ofCluster !== undefined) addToGroup(byValues, ofCluster, cluster);
  }
  const byContent = groupBy([...byValues], ([each]) => contentOf(each));
  // A stable sort: of two groups of the same size, the one with the first cluster counts as larger.
  const [usual, ...others] = Array.from(byContent.values(), groupOf).sort(
    (a, b) => b.clusters.length - a.clusters.length,
  );
  const valuesOf = ([first = '']: readonly string[]): ParameterValues | undefined => values.get(first);
  if (usual === undefined) return { usual: undefined, groups: [] };
  if (others.length === 0) return { usual: valuesOf(usual.clusters), groups: [] };
  const selections = selectGroups(usual, others, conditions);
  const titles = new Set<string>();
  const groups = selections.flatMap(({ clusters: group, condition, layers }): OverrideGroup[] => {
    const ofGroup = valuesOf(group);
    if (ofGroup === undefined) return [];
    const only = group.length === 1 ? group[0] : undefined;
    const title = layers.length > 0 ? layers.join('-') : (only ?? strongestLayer(ofGroup));
    return [{ values: ofGroup, clusters: group, title: unusedName(inName(title), titles), condition }];
  });
  return { usual: valuesOf(usual.clusters), groups };
}

/** Joins clusters whose values have the same content. */
function groupOf(lists: readonly (readonly [ParameterValues, readonly string[]])[]): ValueGroup {
  const [first] = lists;
  return {
    clusters: first && lists.length === 1 ? first[1] : lists.flatMap(([, clusters]) => clusters).sort(),
    // The same layers apply to clusters with the same values.
    examples: lists.flatMap(([, [cluster]]) => cluster ?? []),
  };
}

function strongestLayer({ traces }: ParameterValues): string {
  const rank = { default: 0, hub: 1, 'add-on': 2, placement: 3, where: 4, cluster: 5 };
  let title = '';
  let strongest = -1;
  for (const { winners } of traces())
    for (const { rank: ofWinner, layer } of winners)
      if (rank[ofWinner] > strongest) {
        strongest = rank[ofWinner];
        title = layer;
      }
  return title;
}

/** Returns the name, with a number if it is taken, and adds it to the taken ones. */
export function unusedName(name: string, taken: Set<string>): string {
  let unused = name;
  for (let number = 2; taken.has(unused); number++) unused = `${name}-${number}`;
  taken.add(unused);
  return unused;
}

const longestTitle = 40;

/** Returns a text as a part of an object's name. */
export function inName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longestTitle)
    .replaceAll(/^-+|-+$/g, '');
}
