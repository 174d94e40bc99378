import { boundPolicies, placedPolicy, type PolicyBinding } from '../api/bound-policies.ts';
import { placementFollowers, type FollowerKind, type PlacementFollower } from '../api/placement-followers.ts';
import { compareUtf8 } from '../../base/json/go-json.ts';
import { objectKey, type Admitted } from '../model/inventory.ts';
import type { Location, Origin } from '../model/origin.ts';
import type { Resolution } from '../resolve.ts';
import { placedApplications } from './placed-applications.ts';

/** Something other than an add-on that Placements bring to a cluster. */
export interface PlacedObject {
  readonly kind: FollowerKind;
  /** `namespace/name`. */
  readonly name: string;
  /** The Placements that bring it, and the objects that name them if it does not name them itself. Sorted by name. */
  readonly by: readonly PlacedBy[];
  /** The remediationAction of a Policy on the cluster. Absent if the templates of the Policy decide. */
  readonly remediationAction?: string;
  /** The PlacementBinding that enforces a Policy that does not enforce itself. */
  readonly enforcedBy?: string;
  /** The Applications of an ApplicationSet that deploy to the cluster. */
  readonly applications?: readonly string[];
  /** The part of an ApplicationSet that is not evaluated, so that its Applications are not known. */
  readonly unknown?: string;
  /** Why Argo CD generates no Applications from an ApplicationSet. */
  readonly error?: string;
}

/** A Placement that brings an object to a cluster. */
export interface PlacedBy {
  /** `namespace/name`. */
  readonly placement: string;
  /** `PlacementBinding policies/prod`, then `PolicySet policies/baseline`. Empty if the object names the Placement itself. */
  readonly through: readonly string[];
  readonly location?: Location;
}

/**
 * Returns all objects other than add-ons that Placements bring to a cluster, by kind and name. PolicySets occur as what brings
 * their Policies.
 */
export function placedObjects(
  { inventory, decisions }: Pick<Resolution, 'inventory' | 'decisions'>,
  cluster: string,
): readonly PlacedObject[] {
  const selects = (placement: string): boolean =>
    decisions.byPlacement.get(placement)?.selected.includes(cluster) === true;
  const policies = boundPolicies(inventory).flatMap((policy): PlacedObject[] => {
    const placed = placedPolicy(policy, (placement) => (selects(placement) ? [cluster] : [])).get(cluster);
    if (placed === undefined) return [];
    const { remediationAction, enforcedBy } = placed;
    const placing = policy.bindings.filter(
      ({ reference, restricted, excluded }) =>
        !restricted && reference.kind === 'Placement' && selects(reference.key) && !excluded.has(cluster),
    );
    return [
      {
        kind: 'Policy',
        name: policy.name,
        by: placing.map(placedThrough),
        ...(remediationAction !== undefined && { remediationAction }),
        ...(enforcedBy && { enforcedBy: titleOf(enforcedBy.holder) }),
      },
    ];
  });
  const followers = placementFollowers(inventory);
  const naming = ({ kind, references }: PlacementFollower): readonly PlacedBy[] =>
    references
      .filter((reference) => reference.kind === 'Placement' && selects(reference.key))
      .map(({ key, holder, path }) => ({
        placement: key,
        through: holder.object.kind === kind ? [] : [titleOf(holder)],
        ...locationOf(holder.origin, path),
      }));
  const others = followers.flatMap((follower): PlacedObject[] => {
    const { kind, name, parts } = follower;
    if (kind === 'Policy' || kind === 'PlacementBinding' || kind === 'ApplicationSet') return [];
    if (kind === 'PolicySet' && parts.some(({ holder }) => holder.object.kind === kind)) return [];
    const by = naming(follower);
    return by.length === 0 ? [] : [{ kind, name, by }];
  });
  const sets = new Map(
    followers.filter(({ kind }) => kind === 'ApplicationSet').map((follower) => [follower.name, follower]),
  );
  const applications = placedApplications({ inventory, decisions }, cluster, sets, naming);
  return [...policies, ...others, ...applications].sort(
    (a, b) => compareUtf8(a.kind, b.kind) || compareUtf8(a.name, b.name),
  );
}

function placedThrough({ reference, holder, set }: PolicyBinding): PlacedBy {
  return {
    placement: reference.key,
    through: set === undefined ? [titleOf(holder)] : [titleOf(holder), titleOf(set)],
    ...locationOf(holder.origin, reference.path),
  };
}

function locationOf(origin: Origin, path: Parameters<Origin['locate']>[0]): { location?: Location } {
  const location = origin.locate(path);
  return location === undefined ? {} : { location };
}

function titleOf({ object: { kind, metadata } }: Admitted): string {
  return `${kind} ${objectKey(metadata.namespace, metadata.name ?? '')}`;
}
