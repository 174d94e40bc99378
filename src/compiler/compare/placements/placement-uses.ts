import { addToGroup } from '../../../base/collections/groups.ts';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { placementFollowers, type FollowerKind } from '../../api/placement-followers.ts';
import { objectKey } from '../../model/inventory.ts';
import type { Resolution } from '../../resolve.ts';

/** Something other than an add-on that follows a Placement. */
export interface FollowerUse {
  readonly kind: FollowerKind;
  /** `namespace/name`. */
  readonly name: string;
  /** The objects that name the Placement, if the follower does not name it itself: `PlacementBinding policies/etcd`. Sorted. */
  readonly through: readonly string[];
  /** The clusters that the Placement selects, sorted by name. */
  readonly clusters: readonly string[];
}

/**
 * Returns the objects other than add-ons that follow Placements, by `namespace/name` of the Placement. Each list is sorted by
 * kind and name.
 */
export function followersByPlacement({
  inventory,
  decisions,
}: Pick<Resolution, 'inventory' | 'decisions'>): ReadonlyMap<string, readonly FollowerUse[]> {
  const followers = new Map<string, FollowerUse[]>();
  for (const { kind, name, references } of placementFollowers(inventory)) {
    const holders = new Map<string, Set<string>>();
    for (const { kind: named, key, holder } of references) {
      if (named !== 'Placement') continue;
      const through = getOrInsertComputed(holders, key, () => new Set());
      const { kind: holderKind, metadata } = holder.object;
      if (holderKind !== kind)
        through.add(`${holderKind} ${objectKey(metadata.namespace, metadata.name ?? '')}`);
    }
    for (const [key, through] of holders) {
      const clusters = decisions.byPlacement.get(key)?.selected ?? [];
      addToGroup(followers, key, { kind, name, through: [...through].sort(), clusters });
    }
  }
  return followers;
}
