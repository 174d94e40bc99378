import { namesInEither } from '../names-in-either.ts';
import { isSameList } from '../../../base/collections/remembered.ts';
import { addToGroup } from '../../../base/collections/groups.ts';
import { additionOrRemoval } from '../change-groups.ts';
import type { Cause } from '../change.ts';
import type { Pair } from '../resolution-pair.ts';
import type { SelectionCauses } from '../causes/selection-causes.ts';

/** Clusters that a Placement gains or loses for the same reasons. */
export interface SelectionChange {
  readonly causes: readonly Cause[];
  /** Sorted by name. */
  readonly clusters: readonly string[];
}

/** The change to the decision of one Placement. */
export interface PlacementChange {
  /** `namespace/name`. */
  readonly placement: string;
  /** Absent if the Placement exists in both states. */
  readonly change?: 'added' | 'removed';
  /** The number of clusters that it selects. */
  readonly before: number;
  readonly after: number;
  readonly lost: readonly SelectionChange[];
  readonly gained: readonly SelectionChange[];
}

/** Returns the Placements whose decisions differ between the two states, by name. */
export function comparePlacements({ base, head }: Pair, causes: SelectionCauses): PlacementChange[] {
  const before = base.resolution.decisions.byPlacement;
  const after = head.resolution.decisions.byPlacement;
  const changes: PlacementChange[] = [];
  for (const placement of namesInEither(before, after)) {
    const earlier = before.get(placement)?.selected ?? [];
    const later = after.get(placement)?.selected ?? [];
    const lost = without(earlier, later).map((cluster) => ({
      cluster,
      causes: causes.of(placement, cluster, 'lost'),
    }));
    const gained = without(later, earlier).map((cluster) => ({
      cluster,
      causes: causes.of(placement, cluster, 'gained'),
    }));
    const whole = additionOrRemoval(before.get(placement), after.get(placement));
    if (whole.change === undefined && lost.length === 0 && gained.length === 0) continue;
    changes.push({
      placement,
      ...whole,
      before: earlier.length,
      after: later.length,
      lost: byCauses(lost),
      gained: byCauses(gained),
    });
  }
  return changes;
}

function without(clusters: readonly string[], others: readonly string[]): readonly string[] {
  if (isSameList(clusters, others)) return [];
  const otherClusters = new Set(others);
  return clusters.filter((cluster) => !otherClusters.has(cluster));
}

/** Groups clusters by causes. Equal causes are the same array, see SelectionCauses. */
function byCauses(
  changes: readonly { readonly cluster: string; readonly causes: readonly Cause[] }[],
): readonly SelectionChange[] {
  const groups = new Map<readonly Cause[], string[]>();
  for (const { cluster, causes } of changes) addToGroup(groups, causes, cluster);
  return Array.from(groups, ([causes, clusters]) => ({ causes, clusters }));
}
