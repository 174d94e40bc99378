import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { reachableGroups, type TrackedGroup } from '../decision-tracker.ts';

/** The groups of a placement that a rollout can reach, and their clusters. */
export interface GroupIndex {
  readonly all: readonly TrackedGroup[];
  /** Sorted by name. */
  readonly clusters: readonly string[];
  readonly groupOf: ReadonlyMap<string, TrackedGroup>;
}

const indices = new WeakMap<readonly TrackedGroup[], GroupIndex>();

/** Returns the index of the groups of a placement, computed once for all add-ons that follow it. */
export function groupIndex(tracked: readonly TrackedGroup[]): GroupIndex {
  return getOrInsertComputed(indices, tracked, () => {
    const all = reachableGroups(tracked);
    const groupOf = new Map<string, TrackedGroup>();
    for (const group of all) for (const cluster of group.clusters) groupOf.set(cluster, group);
    return { all, clusters: clustersOf(all), groupOf };
  });
}

/** Returns the clusters of groups, sorted by name. */
export function clustersOf(groups: readonly TrackedGroup[]): readonly string[] {
  const [first] = groups;
  if (first !== undefined && groups.length === 1) return first.clusters;
  return [...new Set(groups.flatMap(({ clusters }) => clusters))].sort();
}
