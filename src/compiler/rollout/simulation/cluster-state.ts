import { compareText } from '../../../base/collections/compare-text.ts';
import { conditionOf } from '../../../base/objects/condition.ts';
import type { ManagedClusterAddOnV1beta1 } from '../../../../schemas/types.gen.ts';
import type { Candidate, ClusterAddOn, ConfigReference } from '../../configure/resolved-add-on.ts';
import { desiredReference } from '../../configure/desired-reference.ts';
import { objectKey } from '../../model/inventory.ts';
import { moment } from '../../../base/time/rfc3339.ts';
import type { Progress } from '../progress.ts';

/** A configuration that a ManagedClusterAddOn's status names. */
export interface StatusReference extends ConfigReference {
  /** The hash of `lastAppliedConfig`, if that is the same object. */
  readonly appliedHash?: string;
}

/** The condition Progressing of a ManagedClusterAddOn. */
export interface ProgressingCondition {
  readonly reason: string;
  /** Milliseconds since the epoch. Absent if the snapshot contains no time. */
  readonly since?: number;
}

/** The parts of the state of one add-on on one cluster that rollouts read. */
export interface ClusterState {
  /** `status.configReferences`, in their order. */
  readonly references: readonly StatusReference[];
  readonly progressing?: ProgressingCondition;
  /**
   * Whether the agent has ever reported its state: the condition ManifestApplied exists. Without it, the hub does not know the
   * start time of a cluster in progress.
   */
  readonly reported: boolean;
}

/** The state of a ManagedClusterAddOn that no controller has processed yet. */
export const freshState: ClusterState = { references: [], reported: false };

/** Returns the state of a ManagedClusterAddOn in a fleet snapshot. */
export function stateOf({ status }: ManagedClusterAddOnV1beta1): ClusterState {
  if (status === undefined) return freshState;
  const condition = conditionOf(status.conditions, 'Progressing');
  const since = moment(condition?.lastTransitionTime);
  return {
    references: (status.configReferences ?? []).flatMap((entry): StatusReference[] => {
      const desired = desiredReference(entry);
      if (desired === undefined) return [];
      const { lastAppliedConfig: applied } = entry;
      const isSame = applied !== undefined && keyOf(applied) === keyOf(desired);
      return [isSame ? { ...desired, appliedHash: applied.specHash ?? '' } : desired];
    }),
    ...(condition && { progressing: { reason: condition.reason, ...(since !== undefined && { since }) } }),
    reported: (status.conditions ?? []).some(({ type }) => type === 'ManifestApplied'),
  };
}

function keyOf({ namespace, name }: Pick<ConfigReference, 'namespace' | 'name'>): string {
  return objectKey(namespace, name);
}

/**
 * Returns the configuration that the hub wants the cluster to use. As addon-framework's addonconfig controller: a deleted object
 * that the ManagedClusterAddOn itself names keeps its last hash.
 */
export function desiredOn(
  { effective }: ClusterAddOn,
  { references }: ClusterState,
): readonly ConfigReference[] {
  if (!effective.kinds.some(({ winners }) => winners.some(isOwnAndMissing))) return effective.references;
  return effective.kinds.flatMap(({ winners }) =>
    winners.map((winner) => {
      const last = isOwnAndMissing(winner) ? find(references, winner.reference) : undefined;
      return last === undefined ? winner.reference : { ...winner.reference, specHash: last.specHash };
    }),
  );
}

function isOwnAndMissing({ level, reference }: Candidate): boolean {
  return level === 'cluster' && reference.specHash === '';
}

/**
 * Returns the state after edits of configurations that the ManagedClusterAddOn itself names: their hashes follow immediately,
 * regardless of the rollout strategy. As addon-framework's addonconfig controller. Returns the same state if nothing changed.
 */
export function withOwnHashes(state: ClusterState, { effective }: ClusterAddOn): ClusterState {
  let changed = false;
  const clusterWinners = effective.kinds.flatMap(({ winners }) =>
    winners.filter(({ level }) => level === 'cluster'),
  );
  if (clusterWinners.length === 0) return state;
  const references = state.references.map((applied) => {
    const reference = find(
      clusterWinners.map((winner) => winner.reference),
      applied,
    );
    if (reference === undefined || reference.specHash === '' || reference.specHash === applied.specHash)
      return applied;
    changed = true;
    return { ...applied, specHash: reference.specHash };
  });
  return changed ? { ...state, references } : state;
}

/**
 * Returns the progress of the cluster. As setRolloutStatus of OCM's addonconfiguration graph, which checks the held references in
 * order: the first one that is not applied decides, even if a later one is outdated.
 */
export function progressOf(
  { references, progressing }: ClusterState,
  desired: readonly ConfigReference[],
): { readonly progress: Progress; readonly since?: number } {
  if (references.length !== desired.length) return { progress: 'ToApply' };
  const since = progressing?.since === undefined ? {} : { since: progressing.since };
  for (const reference of references) {
    const wanted = find(desired, reference);
    if (wanted === undefined || wanted.specHash !== reference.specHash) return { progress: 'ToApply' };
    if (reference.appliedHash === reference.specHash) continue;
    if (progressing?.reason === 'Failed') return { progress: 'Failed', ...since };
    return { progress: 'Progressing', ...(progressing?.reason === 'Progressing' && since) };
  }
  return { progress: 'Succeeded', ...(progressing?.reason === 'Completed' && since) };
}

/** Returns the state after the hub has released `desired` to the cluster. As OCM's mergeAddonConfig. */
export function released(state: ClusterState, desired: readonly ConfigReference[]): ClusterState {
  const remaining = state.references.flatMap((reference): StatusReference[] => {
    const wanted = find(desired, reference);
    return wanted === undefined ? [] : [{ ...reference, specHash: wanted.specHash }];
  });
  const added = desired.filter((reference) => find(state.references, reference) === undefined);
  // Kinds are sorted. Within a kind, earlier references come first.
  const references = [...remaining, ...added].sort(
    (a, b) => compareText(a.group, b.group) || compareText(a.resource, b.resource),
  );
  return { ...state, references };
}

/** Returns whether exactly this configuration is released to the cluster. */
export function isReleased({ references }: ClusterState, desired: readonly ConfigReference[]): boolean {
  return (
    references.length === desired.length &&
    references.every((reference) => find(desired, reference)?.specHash === reference.specHash)
  );
}

/**
 * Returns the state after the works of the held configuration are applied and available.
 *
 * @param since - the time from which the hub counts the success
 */
export function succeeded(state: ClusterState, since: number): ClusterState {
  return {
    references: state.references.map((reference) => ({ ...reference, appliedHash: reference.specHash })),
    progressing: { reason: 'Completed', since },
    reported: true,
  };
}

/** An unknown time in the past: all soaks that began then are over. */
const longAgo = 0;

/**
 * Returns the earliest time from which the hub may count a success. OCM's addonprogressing writes the condition with
 * meta.SetStatusCondition, which keeps the time while the status stays. The status stays False if the controller never sees the
 * works in progress: a new ManagedClusterAddOn goes from WaitingForManifestApplied to Completed, and one that an agent updates
 * quickly stays Completed.
 *
 * @param created - the time at which ManagedClusterAddOns without a condition get their first one
 */
export function earliestSuccess({ progressing }: ClusterState, created: number, now: number): number {
  if (progressing === undefined) return created;
  return progressing.reason === 'Progressing' ? now : longAgo;
}

/**
 * Returns the state while works are in progress and not ready. A Progressing condition keeps its time if its status does not
 * change.
 *
 * @param silent - whether the agent reports nothing
 */
export function underWay(state: ClusterState, now: number, silent: boolean): ClusterState {
  if (silent && !state.reported) {
    const reason = 'WaitingForManifestApplied';
    return state.progressing?.reason === reason ? state : { ...state, progressing: { reason, since: now } };
  }
  const progressing =
    state.progressing?.reason === 'Progressing' ? state.progressing : { reason: 'Progressing', since: now };
  return { ...state, progressing, reported: true };
}

function find<T extends ConfigReference>(references: readonly T[], wanted: ConfigReference): T | undefined {
  return references.find(
    ({ group, resource, namespace, name }) =>
      group === wanted.group &&
      resource === wanted.resource &&
      namespace === wanted.namespace &&
      name === wanted.name,
  );
}
