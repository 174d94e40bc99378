import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { ManagedClusterV1 } from '../../../../schemas/types.gen.ts';
import type { Decision } from '../../place/decision.ts';
import { clusterSetLabel } from '../../place/cluster-sets.ts';
import { decideWhatIf } from '../../place/decide-what-if.ts';
import { explainPlacement } from '../../place/explain/explain.ts';
import type { Stage } from '../../place/explain/explanation.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import { listed } from '../../model/words.ts';
import type { Resolution } from '../../resolve.ts';
import { compareValues } from '../compare-values.ts';
import type { Cause, Side } from '../change.ts';
import {
  claimChanges,
  isEdited,
  labelChanges,
  taintChanges,
  type ClusterChange,
} from '../cluster-changes.ts';
import { placementEdits } from './placement-edits.ts';
import { dropStages, type StageOf } from './placement-stage.ts';

/**
 * Determines why a Placement selects a cluster in one state and not in the other. Work that does not depend on the cluster is
 * done once, and clusters with the same causes get the same array, so that they can be grouped by identity.
 */
export class SelectionCauses {
  readonly #base: Resolution;
  readonly #head: Resolution;
  readonly #releases: Readonly<Record<Side, HubVersion>>;
  readonly #stages = new Map<Decision, StageOf>();
  readonly #keys = new Map<string, SelectorKeys>();
  readonly #edits = new Map<string, readonly Cause[]>();
  readonly #editedClusters = new Map<string, boolean>();
  readonly #alternatives = new Map<string, (cluster: string) => AlsoDropping>();
  readonly #shared = new Map<string, readonly Cause[]>();

  /** @param releases - of the hub in both states */
  constructor(base: Resolution, head: Resolution, releases: Readonly<Record<Side, HubVersion>>) {
    this.#base = base;
    this.#head = head;
    this.#releases = releases;
  }

  /** Returns the causes for a placement that selects the cluster in the base only, or in the head only. */
  of(placement: string, cluster: string, change: 'lost' | 'gained'): readonly Cause[] {
    const lost = change === 'lost';
    const absent = lost ? this.#head : this.#base;
    const side: Side = lost ? 'base' : 'head';
    const present = lost ? this.#base : this.#head;
    if (!absent.decisions.byPlacement.has(placement)) {
      const kind = lost ? 'placement removed' : 'placement added';
      return this.#share(`${kind} ${placement}`, () => {
        const decision = present.decisions.byPlacement.get(placement);
        const text = `Placement "${placement}" ${lost ? 'no longer exists' : 'is new'}`;
        return [{ kind, text, side, ...(decision && { location: decision.placement.origin.location }) }];
      });
    }
    if (!absent.decisions.clusters.has(cluster)) {
      const kind = lost ? 'cluster removed' : 'cluster added';
      const also = this.#alsoDropping(placement, change)(cluster).placement;
      const [base, head] = this.#decisionsOf(placement);
      return this.#share(`${kind} ${also === undefined ? '' : `${placement} ${also}`}`, () => [
        {
          kind,
          text: lost ? 'the cluster is no longer in the fleet' : 'the cluster is new in the fleet',
          side,
          ...locationOf(present, cluster),
        },
        ...(also === undefined || !base || !head ? [] : this.#editsOf(placement, base, head, also)),
      ]);
    }
    return this.#ofStage(placement, cluster, change, absent);
  }

  #ofStage(
    placement: string,
    cluster: string,
    change: 'lost' | 'gained',
    absent: Resolution,
  ): readonly Cause[] {
    const [base, head] = this.#decisionsOf(placement);
    const dropping = absent.decisions.byPlacement.get(placement);
    if (base === undefined || head === undefined || dropping === undefined) return [];
    const stage = this.#stageOf(dropping, absent)(cluster);
    const also = this.#alsoDropping(placement, change)(cluster);
    const changes = distinctTexts([
      ...this.#clusterChanges(base, head, cluster, stage),
      ...(also.cluster === undefined ? [] : this.#clusterChanges(base, head, cluster, also.cluster)),
    ]);
    const texts = changes.map(({ text }) => text);
    const signature = [placement, change, stage, also.cluster, also.placement, ...texts].join('\n');
    return this.#share(signature, () => {
      const { origin } = this.#head.inventory.managedClusters.get(cluster) ?? {};
      const causes = [
        ...changes.map(({ text, path }): Cause => ({
          kind: 'cluster changed',
          text,
          side: 'head',
          ...(origin && { location: origin.locate(path) }),
        })),
        ...this.#editsOf(placement, base, head, stage),
        ...(also.placement === undefined || also.placement === stage
          ? []
          : this.#editsOf(placement, base, head, also.placement)),
        ...([stage, also.cluster].includes('cluster sets') ? this.#setCauses(base, head) : []),
      ];
      return causes.length > 0 ? causes : [this.#remaining(placement, cluster, stage, absent)];
    });
  }

  #decisionsOf(placement: string): readonly (Decision | undefined)[] {
    return [this.#base, this.#head].map(({ decisions }) => decisions.byPlacement.get(placement));
  }

  /**
   * The state that does not select the cluster reports one stage that drops it, and can hide others: a placement and its clusters
   * can change together, with neither change sufficient alone. So this evaluates the placement with only one of the two changes.
   */
  #alsoDropping(placement: string, change: 'lost' | 'gained'): (cluster: string) => AlsoDropping {
    const key = `${change} ${placement}`;
    return getOrInsertComputed(this.#alternatives, key, () => this.#alternative(placement, change));
  }

  #alternative(placement: string, change: 'lost' | 'gained'): (cluster: string) => AlsoDropping {
    const [without, present] = change === 'lost' ? [this.#head, this.#base] : [this.#base, this.#head];
    const earlier = without.decisions.byPlacement.get(placement)?.placement;
    const later = present.decisions.byPlacement.get(placement)?.placement;
    if (earlier === undefined || later === undefined) return () => ({});
    if (compareValues(earlier.object.spec, later.object.spec).length === 0) return () => ({});
    const onlyClusters = droppedInstead(earlier, present);
    const onlyPlacement = droppedInstead(later, without);
    return (cluster) => ({ placement: onlyClusters(cluster), cluster: onlyPlacement(cluster) });
  }

  #stageOf(decision: Decision, { decisions }: Resolution): StageOf {
    return getOrInsertComputed(this.#stages, decision, () => dropStages(decision, decisions.scheduler));
  }

  #editsOf(placement: string, base: Decision, head: Decision, stage: Stage): readonly Cause[] {
    const key = `${placement} ${stage}`;
    return getOrInsertComputed(this.#edits, key, () => placementEdits(placement, base, head, stage));
  }

  /** Returns the differences in the cluster, as far as the stage reads it. */
  #clusterChanges(base: Decision, head: Decision, cluster: string, stage: Stage): ClusterChange[] {
    const before = this.#base.decisions.clusters.get(cluster);
    const after = this.#head.decisions.clusters.get(cluster);
    if (before === undefined || after === undefined) return [];
    if (stage === 'fleet') return deletionChange(before, after);
    if (stage === 'cluster sets') return this.#setChanges(before, after);
    if (stage === 'taints') return taintChanges(before, after);
    if (stage !== 'predicates') return [];
    const { labels, claims, readsAll } = this.#selectorKeys(base, head);
    const causes = [
      ...labelChanges(before, after, labels),
      ...claimChanges(claimsIn(this.#base, cluster), claimsIn(this.#head, cluster), claims),
    ];
    if (causes.length === 0 && readsAll && this.#isEdited(cluster, before, after)) {
      return [{ text: 'a CEL expression reads a value of the cluster that changed', path: [] }];
    }
    return causes;
  }

  #isEdited(cluster: string, before: ManagedClusterV1, after: ManagedClusterV1): boolean {
    return getOrInsertComputed(this.#editedClusters, cluster, () => isEdited(before, after));
  }

  #setChanges(before: ManagedClusterV1, after: ManagedClusterV1): ClusterChange[] {
    const name = after.metadata.name ?? '';
    const from = setsOf(this.#base, name);
    const to = setsOf(this.#head, name);
    const byLabel = labelChanges(before, after, [clusterSetLabel]);
    if (byLabel.length > 0 || from.join() === to.join()) return byLabel;
    // Sets that select by labels: the label changes identify the label.
    const keys = new Set([
      ...Object.keys(before.metadata.labels ?? {}),
      ...Object.keys(after.metadata.labels ?? {}),
    ]);
    const labels = labelChanges(before, after, [...keys].sort());
    const path = ['metadata', 'labels'];
    return labels.length > 0
      ? labels
      : [{ text: `it belongs to ${setWords(to)}, previously to ${setWords(from)}`, path }];
  }

  /** Returns the label and claim keys that the predicates of either state read. */
  #selectorKeys(base: Decision, head: Decision): SelectorKeys {
    const { namespace = '', name = '' } = head.placement.object.metadata;
    return getOrInsertComputed(this.#keys, `${namespace}/${name}`, () => selectorKeys([base, head]));
  }

  /** Returns causes for bindings and sets that were added or removed. */
  #setCauses(base: Decision, head: Decision): Cause[] {
    const boundTo = ({ reasoning }: Decision): ReadonlySet<string> =>
      new Set(reasoning?.scheduling.candidates.bound);
    const earlier = boundTo(base);
    const later = boundTo(head);
    const namespace = head.placement.object.metadata.namespace ?? '';
    const cause = (set: string, gone: boolean): Cause => {
      const { inventory } = gone ? this.#base : this.#head;
      const origin =
        inventory.managedClusterSetBindings.get(`${namespace}/${set}`)?.origin ??
        inventory.managedClusterSets.get(set)?.origin;
      return {
        kind: 'binding changed',
        text: `namespace "${namespace}" is ${gone ? 'no longer' : 'now'} bound to cluster set "${set}"`,
        side: gone ? 'base' : 'head',
        ...(origin && { location: origin.location }),
      };
    };
    return [
      ...[...earlier].filter((set) => !later.has(set)).map((set) => cause(set, true)),
      ...[...later].filter((set) => !earlier.has(set)).map((set) => cause(set, false)),
    ];
  }

  /** Returns the cause if neither the cluster nor the placement changed in what the stage reads. */
  #remaining(placement: string, cluster: string, stage: Stage, absent: Resolution): Cause {
    const side: Side = absent === this.#head ? 'head' : 'base';
    if (stage === 'choice') {
      return { kind: 'competition', text: `other clusters rank above it in Placement "${placement}"`, side };
    }
    if (stage === 'taints') return { kind: 'time', text: 'a toleration has expired', side };
    const last = explainPlacement(absent.decisions, placement, cluster)?.steps.at(-1);
    const text = last?.text ?? `Placement "${placement}" decides differently`;
    return this.#releases.base === this.#releases.head
      ? { kind: 'other', text, side }
      : { kind: 'hub release', text: `on OCM ${this.#releases[side].name}, ${text}`, side };
  }

  #share(signature: string, causes: () => readonly Cause[]): readonly Cause[] {
    return getOrInsertComputed(this.#shared, signature, () => causes());
  }
}

interface AlsoDropping {
  /** The stage of the unchanged placement that drops the changed cluster. */
  readonly placement?: Stage | undefined;
  /** The stage of the changed placement that drops the unchanged cluster. */
  readonly cluster?: Stage | undefined;
}

/** Returns the stage at which a placement would drop clusters of a state, or undefined if it would select them. */
function droppedInstead(
  placement: Decision['placement'],
  { decisions }: Resolution,
): (cluster: string) => Stage | undefined {
  const decision = decideWhatIf(placement, decisions);
  const selected = new Set(decision.selected);
  const stageOf = dropStages(decision, decisions.scheduler);
  return (cluster) => (selected.has(cluster) ? undefined : stageOf(cluster));
}

function distinctTexts(changes: readonly ClusterChange[]): ClusterChange[] {
  return [...new Map(changes.map((change) => [change.text, change])).values()];
}

interface SelectorKeys {
  readonly labels: readonly string[];
  readonly claims: readonly string[];
  /** Whether there are CEL expressions, which can read anything. */
  readonly readsAll: boolean;
}

function selectorKeys(decisions: readonly Decision[]): SelectorKeys {
  const labels = new Set<string>();
  const claims = new Set<string>();
  let readsAll = false;
  for (const { reasoning } of decisions) {
    for (const predicate of reasoning?.scheduling.candidates.predicates ?? []) {
      for (const { key } of predicate.labels.selector.requirements) labels.add(key);
      for (const { key } of predicate.claims.selector.requirements) claims.add(key);
      readsAll ||= predicate.cel !== undefined;
    }
  }
  return { labels: [...labels], claims: [...claims], readsAll };
}

function deletionChange(
  { metadata: before }: ManagedClusterV1,
  { metadata: after }: ManagedClusterV1,
): ClusterChange[] {
  if ((before.deletionTimestamp === undefined) === (after.deletionTimestamp === undefined)) return [];
  const text =
    after.deletionTimestamp === undefined ? 'it is no longer being deleted' : 'it is marked for deletion';
  return [{ text, path: ['metadata', 'deletionTimestamp'] }];
}

function claimsIn({ decisions }: Resolution, cluster: string): Readonly<Record<string, string>> {
  const { index } = decisions.scheduler;
  const number = index.indexOf(cluster);
  return number === undefined ? {} : index.claims(number);
}

function setsOf({ decisions }: Resolution, cluster: string): readonly string[] {
  const number = decisions.scheduler.index.indexOf(cluster);
  return number === undefined ? [] : decisions.scheduler.sets.of(number);
}

function setWords(sets: readonly string[]): string {
  return sets.length === 0 ? 'no cluster set' : listed(sets);
}

function locationOf({ inventory }: Resolution, cluster: string): Pick<Cause, 'location'> {
  const origin = inventory.managedClusters.get(cluster)?.origin;
  return origin === undefined ? {} : { location: origin.location };
}
