import { namesInEither } from '../names-in-either.ts';
import { compareUtf8 } from '../../../base/json/go-json.ts';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import {
  placementFollowers,
  type FollowerKind,
  type PlacementFollower,
} from '../../api/placement-followers.ts';
import type { Cause, Side } from '../change.ts';
import {
  ChangeGroups,
  additionOrRemoval,
  distinct,
  wholeChange,
  type GroupedChange,
} from '../change-groups.ts';
import type { Pair } from '../resolution-pair.ts';
import type { SelectionCauses } from '../causes/selection-causes.ts';
import { editsOf, nameOf, noEdits } from './follower-edits.ts';
import { planApplicationSets } from './plan-application-sets.ts';
import { planPolicies } from './plan-policies.ts';

/** The change to an object that follows Placements. The name is `namespace/name`. */
export interface FollowerChange extends GroupedChange<FollowerKind> {
  /** The objects of both states whose edits its groups explain, in the form `Policy agents/etcd`. Empty if nothing changes. */
  readonly explains: readonly string[];
  /** The number of Applications of an ApplicationSet in the earlier state. Absent for everything else. */
  readonly applicationsBefore?: number;
}

/**
 * Compares the objects other than add-ons and works that follow Placements: policies, ApplicationSets and the like, by kind and
 * name. Unchanged ones have no groups.
 */
export function planFollowers(pair: Pair, causes: SelectionCauses): FollowerChange[] {
  const sets = planApplicationSets(pair, causes);
  const compared = [...planPolicies(pair, causes), ...sets.changes];
  const isOther = ({ kind, name }: PlacementFollower): boolean =>
    kind !== 'ApplicationSet' || sets.unanswered.has(name);
  const before = followersOf(pair.base.resolution, isOther);
  const after = followersOf(pair.head.resolution, isOther);
  const selections = new Selections(pair);
  const names = namesInEither(before, after);
  const others = names.flatMap((key) => {
    const [earlier, later] = [before.get(key), after.get(key)];
    const any = later ?? earlier;
    if (any === undefined) return [];
    const change = followerChange(any, earlier, later, { selections, causes });
    const part = any.kind === 'ApplicationSet' ? sets.unanswered.get(any.name) : undefined;
    return [part === undefined ? change : withCaveat(change, part)];
  });
  return [...others, ...compared].sort((a, b) => compareUtf8(a.kind, b.kind) || compareUtf8(a.name, b.name));
}

/** Adds that the Applications of an ApplicationSet are not known, only the clusters of its Placements. */
function withCaveat(change: FollowerChange, part: string): FollowerChange {
  const caveat = `its Applications are not known, because ${part} is not evaluated`;
  return { ...change, groups: change.groups.map((group) => ({ ...group, caveat })) };
}

/**
 * Returns the followers that are not compared elsewhere. ManifestWorkReplicaSets are compared as works. PolicySets and restricted
 * PlacementBindings are compared as what they do to Policies, unless the inputs only have the name of a PolicySet.
 */
function followersOf(
  { inventory }: Pair['base']['resolution'],
  isOther: (follower: PlacementFollower) => boolean,
): ReadonlyMap<string, PlacementFollower> {
  return new Map(
    placementFollowers(inventory)
      .filter(isOther)
      .filter(({ kind, parts }) => !elsewhere.has(kind) && (kind !== 'PolicySet' || !hasContent(parts)))
      .map((follower) => [`${follower.kind} ${follower.name}`, follower]),
  );
}

const elsewhere: ReadonlySet<FollowerKind> = new Set([
  'ManifestWorkReplicaSet',
  'PlacementBinding',
  'Policy',
]);

function hasContent(parts: PlacementFollower['parts']): boolean {
  return parts.some(({ holder }) => holder.object.kind === 'PolicySet');
}

interface Compared {
  readonly selections: Selections;
  readonly causes: SelectionCauses;
}

function followerChange(
  { kind, name }: PlacementFollower,
  before: PlacementFollower | undefined,
  after: PlacementFollower | undefined,
  { selections, causes }: Compared,
): FollowerChange {
  const [earlier, later] = [placementsOf(before), placementsOf(after)];
  const edits = before === undefined || after === undefined ? noEdits : editsOf(before, after);
  const from = selections.of('base', earlier);
  // Usually nothing is different. In that case, skip the clusters.
  const stays = earlier.join() === later.join() && later.every((placement) => selections.isSame(placement));
  const to = stays ? from : selections.of('head', later);
  const groups = new ChangeGroups();
  if (!stays) {
    const reasons = new Map<string, readonly Cause[]>();
    const why = (cluster: string, change: 'lost' | 'gained'): readonly (readonly Cause[])[] => {
      const [clusters, others, side] =
        change === 'lost' ? ([earlier, later, 'base'] as const) : ([later, earlier, 'head'] as const);
      const selecting = clusters.filter((placement) => selections.of(side, [placement]).has(cluster));
      return selecting.map((placement) => {
        if (others.includes(placement)) return causes.of(placement, cluster, change);
        const key = `${change} ${placement}`;
        return getOrInsertComputed(reasons, key, () => [namedNoMore(placement, change, before, after)]);
      });
    };
    for (const cluster of from) {
      if (to.has(cluster)) continue;
      const lost = why(cluster, 'lost');
      groups.add('uninstalled', lost, cluster, () => wholeChange('uninstalled', lost.flat()));
    }
    for (const cluster of to) {
      if (from.has(cluster)) continue;
      const gained = why(cluster, 'gained');
      groups.add('installed', gained, cluster, () => wholeChange('installed', gained.flat()));
    }
  }
  if (edits.causes.length > 0) {
    // All clusters get the same.
    const change = { causes: distinct(edits.causes), configs: [], values: edits.values, moreValues: 0 };
    for (const cluster of to)
      if (from.has(cluster)) groups.add('changed', [], cluster, () => ({ effect: 'changed', ...change }));
  }
  const all = groups.all();
  const changed = all.reduce(
    (sum, { effect, clusters }) => (effect === 'uninstalled' ? sum : sum + clusters.length),
    0,
  );
  return {
    kind,
    name,
    ...additionOrRemoval(before, after),
    before: from.size,
    after: to.size,
    groups: all,
    unchanged: to.size - changed,
    explains: all.length === 0 ? [] : [before, after].flatMap(objectsOf),
  };
}

/** Returns the objects that decide what is distributed and where. */
function objectsOf(follower: PlacementFollower | undefined): string[] {
  const holders = [...(follower?.references ?? []), ...(follower?.parts ?? [])].map(({ holder }) => holder);
  return holders.map((holder) => `${holder.object.kind} ${nameOf(holder)}`);
}

/** Returns `namespace/name` of the Placements, without PlacementRules. */
function placementsOf(follower: PlacementFollower | undefined): readonly string[] {
  const references = follower?.references ?? [];
  return [...new Set(references.flatMap(({ kind, key }) => (kind === 'Placement' ? [key] : [])))];
}

/** The clusters of lists of Placements in both states. Each list is evaluated once for all followers. */
class Selections {
  readonly #pair: Pair;
  readonly #clusters = new Map<string, ReadonlySet<string>>();
  readonly #same = new Map<string, boolean>();

  constructor(pair: Pair) {
    this.#pair = pair;
  }

  of(side: Side, placements: readonly string[]): ReadonlySet<string> {
    const key = `${side} ${placements.join()}`;
    return getOrInsertComputed(
      this.#clusters,
      key,
      () => new Set(placements.flatMap((placement) => this.#selected(side, placement))),
    );
  }

  /** Returns whether a Placement selects the same clusters in both states. */
  isSame(placement: string): boolean {
    return getOrInsertComputed(this.#same, placement, () => this.#compare(placement));
  }

  #compare(placement: string): boolean {
    const [before, after] = [this.#selected('base', placement), this.#selected('head', placement)];
    return before.length === after.length && before.every((cluster, index) => cluster === after[index]);
  }

  #selected(side: Side, placement: string): readonly string[] {
    return this.#pair[side].resolution.decisions.byPlacement.get(placement)?.selected ?? [];
  }
}

/** Returns why a Placement that only one state names no longer counts, or counts now. */
function namedNoMore(
  placement: string,
  change: 'lost' | 'gained',
  before: PlacementFollower | undefined,
  after: PlacementFollower | undefined,
): Cause {
  const [present, absent] = change === 'lost' ? [before, after] : [after, before];
  const side = change === 'lost' ? 'base' : 'head';
  const named = present?.references.find(({ kind, key }) => kind === 'Placement' && key === placement);
  const holder = named === undefined ? '' : `${named.holder.object.kind} ${nameOf(named.holder)}`;
  const isBound = named?.holder.object.kind === 'PlacementBinding';
  const now = change === 'lost' ? 'no longer' : 'now';
  const text =
    absent === undefined
      ? `${holder} ${change === 'lost' ? 'no longer exists' : 'is new'}`
      : `it ${isBound ? `is ${now} bound to` : `${now} names`} Placement "${placement}"`;
  return {
    kind: 'follower edited',
    text,
    side,
    ...(named && { location: named.holder.origin.locate(named.path) }),
  };
}
