import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { PlacementFollower } from '../../api/placement-followers.ts';
import type { ArgoCdCluster } from '../../application-sets/argo-cd-clusters.ts';
import type { ApplicationGenerator } from '../../application-sets/generate-applications.ts';
import type { Cause, Effect, Side } from '../change.ts';
import { labelChanges } from '../cluster-changes.ts';
import type { Pair } from '../resolution-pair.ts';
import type { SelectionCauses } from '../causes/selection-causes.ts';
import type { ApplicationWithFate } from './application-fates.ts';
import { nameOf } from './follower-edits.ts';

type Causes = readonly (readonly Cause[])[];

/** What the causes of one ApplicationSet's changes are found in. */
export interface CauseInputs {
  readonly pair: Pair;
  readonly causes: SelectionCauses;
  /** The Placements that its generators name. */
  readonly references: Readonly<Record<Side, PlacementFollower | undefined>>;
  readonly generators: Readonly<Record<Side, ApplicationGenerator>>;
  readonly namespace: string;
  /** The specs of both states. */
  readonly text: string;
}

/** Determines why the Applications of one ApplicationSet change on a cluster. Clusters with the same causes get the same arrays. */
export class ApplicationCauses {
  readonly #inputs: CauseInputs;
  readonly #shared = new Map<string, readonly Cause[]>();
  readonly #selected = new Map<string, ReadonlySet<string>>();

  constructor(inputs: CauseInputs) {
    this.#inputs = inputs;
  }

  /** @param edits - the edits of the ApplicationSet, which explain what nothing else does */
  of(cluster: string, effect: Effect, edits: readonly Cause[]): Causes {
    const change = effect === 'uninstalled' ? 'lost' : 'gained';
    const outside = [
      ...(effect === 'changed'
        ? [...this.#selections(cluster, 'lost'), ...this.#selections(cluster, 'gained')]
        : this.#selections(cluster, change)),
      ...this.#registration(cluster),
    ];
    const explained = [...outside, ...(edits.length > 0 && effect === 'changed' ? [edits] : [])];
    if (outside.length === 0) explained.push(...this.#labels(cluster));
    if (explained.length > 0) return explained;
    return [edits.length > 0 ? edits : this.#other()];
  }

  /** Returns what decides about a deletion besides the files. */
  caveatOf(cluster: string, different: readonly ApplicationWithFate[]): string | undefined {
    const registered = this.#registered('head', cluster);
    if (registered !== undefined || this.#registered('base', cluster) === undefined) return undefined;
    if (!different.some(({ fate }) => fate === 'deleted')) return undefined;
    return 'Argo CD no longer knows the cluster: if it notices that before it deletes the Applications, what they deployed stays';
  }

  /** Placements that select the cluster in one state only, or that one state only names. */
  #selections(cluster: string, change: 'lost' | 'gained'): Causes {
    const { references, causes } = this.#inputs;
    const [present, absent]: [Side, Side] = change === 'lost' ? ['base', 'head'] : ['head', 'base'];
    const named = (side: Side): readonly string[] => [
      ...new Set(
        (references[side]?.references ?? []).flatMap(({ kind, key }) => (kind === 'Placement' ? [key] : [])),
      ),
    ];
    const others = named(absent);
    return named(present)
      .filter((placement) => this.#selects(present, placement, cluster))
      .flatMap((placement): Causes => {
        if (!others.includes(placement)) return [this.#named(placement, change)];
        if (this.#selects(absent, placement, cluster)) return [];
        return [causes.of(placement, cluster, change)];
      });
  }

  #named(placement: string, change: 'lost' | 'gained'): readonly Cause[] {
    const [side, other]: [Side, Side] = change === 'lost' ? ['base', 'head'] : ['head', 'base'];
    return this.#share(`${change} ${placement}`, () => {
      const reference = this.#inputs.references[side]?.references.find(({ key }) => key === placement);
      const isWhole = this.#inputs.references[other] === undefined;
      const title = reference === undefined ? '' : `ApplicationSet ${nameOf(reference.holder)}`;
      const text = isWhole
        ? `${title} ${change === 'lost' ? 'no longer exists' : 'is new'}`
        : `it ${change === 'lost' ? 'no longer' : 'now'} names Placement "${placement}"`;
      const location = reference?.holder.origin.locate(reference.path);
      return [{ kind: 'follower edited', text, side, ...(location && { location }) }];
    });
  }

  /** Why only one state registers the cluster in Argo CD. */
  #registration(cluster: string): Causes {
    const [base, head] = [this.#registered('base', cluster), this.#registered('head', cluster)];
    if ((base === undefined) === (head === undefined)) return [];
    const change = head === undefined ? 'lost' : 'gained';
    const side: Side = head === undefined ? 'base' : 'head';
    const gitOps = (head ?? base)?.gitOpsCluster;
    if (gitOps !== undefined && this.#differs(gitOps.placement, cluster))
      return [this.#inputs.causes.of(gitOps.placement, cluster, change)];
    const text = `Argo CD ${head === undefined ? 'no longer knows the cluster' : 'now knows the cluster'}`;
    const location = gitOps?.holder.origin.location;
    return [
      this.#share(text, () => [{ kind: 'follower edited', text, side, ...(location && { location }) }]),
    ];
  }

  #differs(placement: string, cluster: string): boolean {
    return this.#selects('base', placement, cluster) !== this.#selects('head', placement, cluster);
  }

  /** The labels of the cluster that changed, and that the ApplicationSet names. If it names none of them, all that changed. */
  #labels(cluster: string): Causes {
    const { pair, text } = this.#inputs;
    const before = pair.base.resolution.decisions.clusters.get(cluster);
    const after = pair.head.resolution.decisions.clusters.get(cluster);
    if (before === undefined || after === undefined) return [];
    const keys = new Set([
      ...Object.keys(before.metadata.labels ?? {}),
      ...Object.keys(after.metadata.labels ?? {}),
    ]);
    const sorted = [...keys].sort();
    const named = labelChanges(
      before,
      after,
      sorted.filter((key) => text.includes(key)),
    );
    const changes = named.length > 0 ? named : labelChanges(before, after, sorted);
    if (changes.length === 0) return [];
    return [
      this.#share(changes.map((change) => change.text).join('\n'), () => {
        const { origin } = pair.head.resolution.inventory.managedClusters.get(cluster) ?? {};
        return changes.map((change) => ({
          kind: 'cluster changed',
          text: change.text,
          side: 'head',
          ...(origin && { location: origin.locate(change.path) }),
        }));
      }),
    ];
  }

  #other(): readonly Cause[] {
    const readsGit = this.#inputs.text.includes('"git":');
    const text = readsGit
      ? 'its git generator reads other files, or other content'
      : 'its generators return other parameters';
    return this.#share(text, () => [{ kind: 'other', text, side: 'head' }]);
  }

  #registered(side: Side, cluster: string): ArgoCdCluster | undefined {
    return this.#inputs.generators[side].clusters(this.#inputs.namespace).byName.get(cluster);
  }

  #selects(side: Side, placement: string, cluster: string): boolean {
    return getOrInsertComputed(
      this.#selected,
      `${side} ${placement}`,
      () => new Set(this.#inputs.pair[side].resolution.decisions.byPlacement.get(placement)?.selected ?? []),
    ).has(cluster);
  }

  #share(key: string, causes: () => readonly Cause[]): readonly Cause[] {
    return getOrInsertComputed(this.#shared, key, causes);
  }
}
