import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import {
  boundPolicies,
  isEnforce,
  placedPolicy,
  type BoundPolicy,
  type PlacedPolicy,
  type PolicyBinding,
} from '../../api/bound-policies.ts';
import { namesInEither } from '../names-in-either.ts';
import type { Cause, Side, ValueChange } from '../change.ts';
import { ChangeGroups, additionOrRemoval, distinct, type Change } from '../change-groups.ts';
import type { Pair } from '../resolution-pair.ts';
import type { SelectionCauses } from '../causes/selection-causes.ts';
import { editsOf, nameOf, noEdits, type Edits } from './follower-edits.ts';
import type { FollowerChange } from './plan-followers.ts';

/**
 * Compares the Policies of two states: on which clusters each one is, and with which remediationAction. PolicySets and
 * PlacementBindings occur as reasons.
 */
export function planPolicies(pair: Pair, causes: SelectionCauses): FollowerChange[] {
  const [before, after] = [policiesOf(pair, 'base'), policiesOf(pair, 'head')];
  if (before.size + after.size === 0) return [];
  const placed = new PlacedPolicies(pair);
  return namesInEither(before, after).map((name) =>
    new PolicyComparison(name, { base: before.get(name), head: after.get(name) }, placed, causes).change(),
  );
}

function policiesOf(pair: Pair, side: Side): ReadonlyMap<string, BoundPolicy> {
  return new Map(boundPolicies(pair[side].resolution.inventory).map((policy) => [policy.name, policy]));
}

/** The clusters of a Policy on which it is not the same in both states. */
interface PlacementDifferences {
  readonly lost: readonly (readonly [cluster: string, was: PlacedPolicy])[];
  readonly gained: readonly (readonly [cluster: string, is: PlacedPolicy])[];
  /** Those with another remediationAction. */
  readonly action: readonly (readonly [cluster: string, was: PlacedPolicy, is: PlacedPolicy])[];
}

type ByCluster = ReadonlyMap<string, PlacedPolicy>;

/**
 * Where Policies are in both states. Policies that the same Placements bring in the same way are evaluated and compared once, with the
 * bindings of the first one.
 */
class PlacedPolicies {
  readonly #pair: Pair;
  readonly #placed = new Map<string, ByCluster>();
  readonly #bindings = new Map<ByCluster, readonly PolicyBinding[]>();
  readonly #differences = new Map<ByCluster, Map<ByCluster, PlacementDifferences>>();
  readonly #holderNames = new Map<Side, ReadonlySet<string>>();

  constructor(pair: Pair) {
    this.#pair = pair;
  }

  of(side: Side, policy: BoundPolicy | undefined): ByCluster {
    if (policy === undefined) return nowhere;
    const ways = policy.bindings.map(({ reference: { kind, key }, restricted, enforces = '', excluded }) =>
      [kind, key, restricted, enforces, ...excluded].join(' '),
    );
    const key = [side, policy.disabled, policy.remediationAction ?? '', ...ways].join('\n');
    return getOrInsertComputed(this.#placed, key, () => {
      const placed = placedPolicy(policy, (placement) => this.selected(side, placement));
      this.#bindings.set(placed, policy.bindings);
      return placed;
    });
  }

  /** Returns what a Policy does on a cluster, with its own bindings instead of those of the first Policy. */
  ownOf(policy: BoundPolicy | undefined, all: ByCluster, placed: PlacedPolicy): PlacedPolicy {
    if (placed.enforcedBy === undefined) return placed;
    const index = this.#bindings.get(all)?.indexOf(placed.enforcedBy) ?? -1;
    const enforcedBy = policy?.bindings[index];
    return enforcedBy === undefined ? placed : { ...placed, enforcedBy };
  }

  /** Compares where a Policy is. */
  differences(before: ByCluster, after: ByCluster): PlacementDifferences {
    const compared = getOrInsertComputed(this.#differences, before, () => new Map());
    return getOrInsertComputed(compared, after, () => placementDifferences(before, after));
  }

  /** Whether a state has a PlacementBinding of this name that binds any Policy. */
  isHolder(side: Side, holder: PolicyBinding['holder']): boolean {
    return this.#holders(side).has(nameOf(holder));
  }

  #holders(side: Side): ReadonlySet<string> {
    return getOrInsertComputed(
      this.#holderNames,
      side,
      () =>
        new Set(
          boundPolicies(this.#pair[side].resolution.inventory).flatMap(({ bindings }) =>
            bindings.map(({ holder }) => nameOf(holder)),
          ),
        ),
    );
  }

  selected(side: Side, placement: string): readonly string[] {
    return this.#pair[side].resolution.decisions.byPlacement.get(placement)?.selected ?? [];
  }
}

const nowhere: ByCluster = new Map();

function placementDifferences(before: ByCluster, after: ByCluster): PlacementDifferences {
  return {
    lost: [...before].filter(([cluster]) => !after.has(cluster)),
    gained: [...after].filter(([cluster]) => !before.has(cluster)),
    action: inBoth(before, after).filter(([, was, is]) => was.remediationAction !== is.remediationAction),
  };
}

/** Returns the clusters that have a Policy in both states. */
function inBoth(before: ByCluster, after: ByCluster): PlacementDifferences['action'] {
  return [...after].flatMap(([cluster, is]) => {
    const was = before.get(cluster);
    return was === undefined ? [] : [[cluster, was, is] as const];
  });
}

/** One Policy in both states. */
class PolicyComparison {
  readonly #name: string;
  readonly #policies: Readonly<Record<Side, BoundPolicy | undefined>>;
  readonly #placed: PlacedPolicies;
  readonly #causes: SelectionCauses;
  readonly #edits: Edits;
  readonly #selected = new Map<string, ReadonlySet<string>>();
  readonly #written = new Map<string, readonly Cause[]>();

  constructor(
    name: string,
    policies: Readonly<Record<Side, BoundPolicy | undefined>>,
    placed: PlacedPolicies,
    causes: SelectionCauses,
  ) {
    this.#name = name;
    this.#policies = policies;
    this.#placed = placed;
    this.#causes = causes;
    const { base, head } = policies;
    this.#edits = base === undefined || head === undefined ? noEdits : editsOf(partsOf(base), partsOf(head));
  }

  change(): FollowerChange {
    const { base, head } = this.#policies;
    const [from, to] = [this.#placed.of('base', base), this.#placed.of('head', head)];
    const groups = new ChangeGroups();
    const { lost, gained, action } = this.#placed.differences(from, to);
    const ownBefore = (was: PlacedPolicy): PlacedPolicy => this.#placed.ownOf(base, from, was);
    const ownAfter = (is: PlacedPolicy): PlacedPolicy => this.#placed.ownOf(head, to, is);
    for (const [cluster, was] of lost) this.#add(groups, 'uninstalled', cluster, ownBefore(was), undefined);
    for (const [cluster, is] of gained) this.#add(groups, 'installed', cluster, undefined, ownAfter(is));
    for (const [cluster, was, is] of this.#edits.causes.length > 0 ? inBoth(from, to) : action)
      this.#add(groups, 'changed', cluster, ownBefore(was), ownAfter(is));
    const all = groups.all();
    const changed = all.reduce(
      (sum, { effect, clusters }) => (effect === 'uninstalled' ? sum : sum + clusters.length),
      0,
    );
    return {
      kind: 'Policy',
      name: this.#name,
      ...additionOrRemoval(base, head),
      before: from.size,
      after: to.size,
      groups: all,
      unchanged: to.size - changed,
      explains: all.length === 0 ? [] : [base, head].flatMap(objectsOf),
    };
  }

  #add(
    groups: ChangeGroups,
    effect: 'uninstalled' | 'installed' | 'changed',
    cluster: string,
    was: PlacedPolicy | undefined,
    is: PlacedPolicy | undefined,
  ): void {
    const causes =
      effect === 'changed'
        ? this.#actionCauses(cluster, was, is)
        : this.#placementCauses(cluster, effect === 'installed' ? 'gained' : 'lost');
    const key = [effect, was?.remediationAction, is?.remediationAction].join(' ');
    groups.add(key, causes, cluster, (): Change => {
      const edits = effect === 'changed' ? this.#edits : noEdits;
      return {
        effect,
        causes: distinct([...edits.causes, ...causes.flat()]),
        configs: [],
        values: [...this.#actionValues(was, is), ...edits.values],
        moreValues: 0,
        ...enforcementOf(was, is),
        ...(is !== undefined && this.#policies.head?.hasHubTemplates === true && { caveat: hubTemplates }),
      };
    });
  }

  /** Returns why the cluster has the Policy in one state only. */
  #placementCauses(cluster: string, change: 'lost' | 'gained'): readonly (readonly Cause[])[] {
    const [present, absent]: [Side, Side] = change === 'lost' ? ['base', 'head'] : ['head', 'base'];
    const bindings = this.#policies[present]?.bindings ?? [];
    const placing = bindings.filter(
      (binding) => !binding.restricted && this.#reaches(present, binding, cluster),
    );
    const other = this.#policies[absent];
    if (other?.disabled === true) return [this.#disabled(other, absent)];
    return placing.map((binding) => this.#bindingCauses('places', binding, cluster, change));
  }

  /** Returns why the Policy has another remediationAction on the cluster. */
  #actionCauses(
    cluster: string,
    was: PlacedPolicy | undefined,
    is: PlacedPolicy | undefined,
  ): readonly (readonly Cause[])[] {
    if (was?.remediationAction === is?.remediationAction) return [];
    const { base, head } = this.#policies;
    const causes: (readonly Cause[])[] = [];
    if (base?.remediationAction !== head?.remediationAction)
      causes.push(this.#share('action', () => [this.#actionEdited()]));
    if (was?.enforcedBy !== undefined && is?.enforcedBy === undefined && head?.disabled === false)
      causes.push(this.#bindingCauses('enforces', was.enforcedBy, cluster, 'lost'));
    if (was?.enforcedBy === undefined && is?.enforcedBy !== undefined)
      causes.push(this.#bindingCauses('enforces', is.enforcedBy, cluster, 'gained'));
    return causes;
  }

  /** Returns why a binding that places or enforces the Policy on the cluster in one state does not in the other. */
  #bindingCauses(
    verb: 'places' | 'enforces',
    binding: PolicyBinding,
    cluster: string,
    change: 'lost' | 'gained',
  ): readonly Cause[] {
    const [present, absent]: [Side, Side] = change === 'lost' ? ['base', 'head'] : ['head', 'base'];
    const { holder, reference, set } = binding;
    const other = this.#policies[absent];
    const now = change === 'lost' ? 'no longer' : 'now';
    const title = `PlacementBinding ${nameOf(holder)}`;
    if (!this.#placed.isHolder(absent, holder)) {
      const text = `${title} ${change === 'lost' ? 'no longer exists' : 'is new'}`;
      return this.#writtenBy(text, present, binding, ['placementRef', 'name']);
    }
    const there = (other?.bindings ?? []).filter(
      ({ reference: { kind, key } }) => kind === reference.kind && key === reference.key,
    );
    const same = there.filter((each) => (verb === 'places' ? !each.restricted : each.enforces !== undefined));
    if (verb === 'places' && there.length === 0) {
      const bind = `it is ${now} bound to Placement "${reference.key}"`;
      const text = set === undefined ? bind : `${bind} through PolicySet ${nameOf(set)}`;
      return this.#writtenBy(text, present, binding, ['placementRef', 'name']);
    }
    if (same.length > 0 && !this.#selects(absent, reference.key, cluster))
      return this.#causes.of(reference.key, cluster, change);
    const excluding = set && same.find(({ excluded }) => excluded.has(cluster))?.set;
    if (excluding !== undefined) {
      const text = `PolicySet ${nameOf(excluding)} ${change === 'lost' ? 'excludes the cluster' : 'no longer excludes the cluster'}`;
      const location = excluding.origin.locate(['spec', 'exclusions']);
      return this.#share(text, () => [{ kind: 'follower edited', text, side: absent, location }]);
    }
    const path = [verb === 'places' ? 'subFilter' : 'bindingOverrides'];
    return this.#writtenBy(`${title} ${now} ${verb} it`, present, binding, path);
  }

  #writtenBy(text: string, side: Side, { holder }: PolicyBinding, path: readonly string[]): readonly Cause[] {
    return this.#share(`${side} ${text}`, () => [
      { kind: 'follower edited', text, side, location: holder.origin.locate(path) },
    ]);
  }

  #disabled({ policy }: BoundPolicy, absent: Side): readonly Cause[] {
    const text = absent === 'head' ? 'it is disabled' : 'it is no longer disabled';
    const location = policy?.origin.locate(['spec', 'disabled']);
    return this.#share(text, () => [
      { kind: 'follower edited', text, side: absent, ...(location && { location }) },
    ]);
  }

  #actionEdited(): Cause {
    const { base, head } = this.#policies;
    const policy = head?.policy ?? base?.policy;
    const location = policy?.origin.locate(['spec', 'remediationAction']);
    return {
      kind: 'follower edited',
      text: `Policy ${this.#name} was edited`,
      side: head?.policy === undefined ? 'base' : 'head',
      ...(location && { location }),
    };
  }

  /** The remediationAction that the cluster gets. The hub writes it into the copy of the Policy in the cluster's namespace. */
  #actionValues(was: PlacedPolicy | undefined, is: PlacedPolicy | undefined): ValueChange[] {
    const [before, after] = [was?.remediationAction, is?.remediationAction];
    if (before === after || (is === undefined && !isEnforce(before))) return [];
    const side = is === undefined ? 'base' : 'head';
    const source = (is ?? was)?.enforcedBy?.holder ?? this.#policies[side]?.policy;
    const path = (is ?? was)?.enforcedBy === undefined ? 'spec' : 'bindingOverrides';
    return [
      {
        object: `Policy ${this.#name}`,
        path: 'spec.remediationAction',
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
        side,
        ...(source && { location: source.origin.locate([path, 'remediationAction']) }),
      },
    ];
  }

  #reaches(side: Side, { reference, excluded }: PolicyBinding, cluster: string): boolean {
    return (
      reference.kind === 'Placement' && this.#selects(side, reference.key, cluster) && !excluded.has(cluster)
    );
  }

  #selects(side: Side, placement: string, cluster: string): boolean {
    return getOrInsertComputed(
      this.#selected,
      `${side} ${placement}`,
      () => new Set(this.#placed.selected(side, placement)),
    ).has(cluster);
  }

  /** Clusters with the same causes get the same array, so that they are grouped. */
  #share(key: string, causes: () => readonly Cause[]): readonly Cause[] {
    return getOrInsertComputed(this.#written, key, causes);
  }
}

/** Whether the clusters begin or cease to enforce a Policy. */
function enforcementOf(
  was: PlacedPolicy | undefined,
  is: PlacedPolicy | undefined,
): Pick<Change, 'enforcement'> {
  const [before, after] = [isEnforce(was?.remediationAction), isEnforce(is?.remediationAction)];
  return before === after ? {} : { enforcement: after ? 'begins' : 'ends' };
}

const hubTemplates =
  'its hub templates depend on the cluster and on objects of the hub: the plan does not evaluate them';

/** The content of a Policy without the fields that are compared per cluster. */
function partsOf({ policy }: BoundPolicy): Pick<Parameters<typeof editsOf>[0], 'parts'> {
  if (policy === undefined) return { parts: [] };
  const except = ['disabled', 'remediationAction'].map((field) => ['spec', field]);
  return { parts: [{ holder: policy, path: ['spec'], except }] };
}

/** Returns the objects that decide where the Policy is and what it does. */
function objectsOf(bound: BoundPolicy | undefined): string[] {
  if (bound === undefined) return [];
  const holders = bound.bindings.flatMap(({ holder, set }) => (set === undefined ? [holder] : [holder, set]));
  if (bound.policy !== undefined) holders.push(bound.policy);
  return [...new Set(holders)].map((holder) => `${holder.object.kind} ${nameOf(holder)}`);
}
