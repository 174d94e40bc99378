import type { PlacementDecisionV1beta1 } from '../../schemas/types.gen.ts';
import { goQuote } from '../../encoding/go-quote.ts';
import { groupIndexLabel, groupNameLabel } from '../place/decision-objects.ts';
import type { Strategy } from './strategy.ts';

/** A decision group as the labels of PlacementDecisions give it. */
export interface TrackedGroup {
  readonly index: number;
  /** Empty where the group has no name. */
  readonly name: string;
  /** Sorted by name. */
  readonly clusters: readonly string[];
}

/** Whether a label says which group a PlacementDecision belongs to. As strconv.Atoi. */
export function isGroupIndex(label: string): boolean {
  return /^[-+]?\d+$/.test(label);
}

/**
 * The groups that PlacementDecisions form, by index; an `Error` in the hub's words where a label does not say which. As
 * sdk-go's PlacementDecisionClustersTracker.
 */
export function trackGroups(objects: readonly PlacementDecisionV1beta1[]): readonly TrackedGroup[] | Error {
  const groups = new Map<string, { index: number; name: string; clusters: Set<string> }>();
  for (const { metadata, status } of objects) {
    const label = metadata.labels?.[groupIndexLabel] ?? '';
    const name = metadata.labels?.[groupNameLabel] ?? '';
    if (!isGroupIndex(label)) {
      return new Error(`incorrect group index: strconv.Atoi: parsing ${goQuote(label)}: invalid syntax`);
    }
    const index = Number(label);
    const key = `${index} ${name}`;
    const group = groups.get(key) ?? { index, name, clusters: new Set() };
    groups.set(key, group);
    for (const { clusterName } of status?.decisions ?? []) group.clusters.add(clusterName);
  }
  return [...groups.values()]
    .sort((a, b) => a.index - b.index)
    .map(({ index, name, clusters }) => ({ index, name, clusters: [...clusters].sort() }));
}

/**
 * The groups that "all groups" means. As ExistingClusterGroupsBesides: indices are counted from 0, so what stands behind
 * a gap is lost. Of several groups with one index the hub takes any; here it is the first.
 */
export function reachableGroups(groups: readonly TrackedGroup[]): readonly TrackedGroup[] {
  const byIndex = new Map<number, TrackedGroup>();
  for (const group of groups) if (!byIndex.has(group.index)) byIndex.set(group.index, group);
  return [...byIndex.values()].filter(({ index }) => index >= 0 && index < byIndex.size);
}

/** As sdk-go: a name means every group of that name, otherwise the index counts, 0 where it is not written. */
export function mandatoryGroups(
  groups: readonly TrackedGroup[],
  { mandatoryGroups }: Strategy,
): readonly TrackedGroup[] {
  const named = new Set(mandatoryGroups.map(({ groupName = '' }) => groupName).filter((name) => name !== ''));
  const indexed = new Set(
    mandatoryGroups.filter(({ groupName = '' }) => groupName === '').map(({ groupIndex = 0 }) => groupIndex),
  );
  return groups.filter(({ index, name }) => named.has(name) || indexed.has(index));
}
