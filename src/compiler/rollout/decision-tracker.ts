import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { PlacementDecisionV1beta1 } from '../../../schemas/types.gen.ts';
import { goQuote } from '../../base/go/quote.ts';
import { groupIndexLabel, groupNameLabel } from '../place/decision-objects.ts';
import type { Strategy } from './strategy/strategy.ts';

/** A decision group, as the labels of PlacementDecisions define it. */
export interface TrackedGroup {
  readonly index: number;
  /** Empty if the group has no name. */
  readonly name: string;
  /** Sorted by name. */
  readonly clusters: readonly string[];
}

/** Returns whether a label identifies the group of a PlacementDecision. As strconv.Atoi. */
export function isGroupIndex(label: string): boolean {
  return /^[-+]?\d+$/.test(label);
}

/**
 * Returns the groups that PlacementDecisions form, by index. Returns an `Error` with the hub's message if a label does not
 * identify the group. As sdk-go's PlacementDecisionClustersTracker.
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
    const group = getOrInsertComputed(groups, key, () => ({ index, name, clusters: new Set<string>() }));
    for (const { clusterName } of status?.decisions ?? []) group.clusters.add(clusterName);
  }
  return [...groups.values()]
    .sort((a, b) => a.index - b.index)
    .map(({ index, name, clusters }) => ({ index, name, clusters: [...clusters].sort() }));
}

/**
 * Returns the groups that "all groups" means. As ExistingClusterGroupsBesides: indices are counted from 0, so groups after a gap
 * are lost. Of several groups with one index, the hub uses an arbitrary one and this function uses the first.
 */
export function reachableGroups(groups: readonly TrackedGroup[]): readonly TrackedGroup[] {
  const byIndex = new Map<number, TrackedGroup>();
  for (const group of groups) if (!byIndex.has(group.index)) byIndex.set(group.index, group);
  return [...byIndex.values()].filter(({ index }) => index >= 0 && index < byIndex.size);
}

/** As sdk-go: a name means every group with that name. Without a name the index counts, with 0 as the default. */
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
