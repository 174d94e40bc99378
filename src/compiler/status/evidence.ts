import { conditionOf } from '../../base/objects/condition.ts';
import { moment } from '../../base/time/rfc3339.ts';
import type { Condition, ManagedClusterV1, ManagedClusterV1Taint } from '../../../schemas/types.gen.ts';
import type { ClusterAddOn, ResolvedAddOn } from '../configure/resolved-add-on.ts';
import type { CauseCode } from './cause-table.ts';
import type { PendingWave, StatusCause } from './fleet-status.ts';
import type { ClusterDetails, ObservedAddOn } from './observation.ts';
import type { RolloutPosition } from './rollout-position.ts';

/** The progress of an add-on on a cluster; `missing` and `unexpected` if only the prediction or only the hub has it. */
export type ObservedProgress = 'ToApply' | 'Progressing' | 'Succeeded' | 'Failed' | 'missing' | 'unexpected';

/** An add-on on a cluster that may not be as predicted. */
export interface Suspect {
  readonly cluster: string;
  readonly progress: ObservedProgress;
  /** Undefined if the add-on is predicted to be elsewhere only. */
  readonly expected: ClusterAddOn | undefined;
  /** Undefined if the hub has no ManagedClusterAddOn. */
  readonly observed: ObservedAddOn | undefined;
}

/** An add-on on a cluster whose content in the sources a promotion holds back. */
export interface HeldBack {
  /** `stopped`: the promotion waits for a person. `rolled back`: the content does not come. */
  readonly state: 'waits' | 'stopped' | 'rolled back';
  /** One sentence without a period. */
  readonly text: string;
  /** The objects that Git has for it and that the hub lacks or has in another form, such as `ClusterManagementAddOn a`. */
  readonly unapplied: readonly string[];
}

/** Everything that the rules for causes read. */
export interface Evidence extends Suspect {
  readonly addOn: ResolvedAddOn;
  readonly managedCluster: ManagedClusterV1 | undefined;
  /** The taint that excludes the cluster from all placements of the add-on that would select it. */
  readonly taint: ManagedClusterV1Taint | undefined;
  readonly position: RolloutPosition;
  /** The objects that decide about the add-on and that the hub has in another form, such as `Placement default/all`. */
  readonly unapplied: readonly string[];
  /** What the cluster waits for, if a promotion holds the content back. */
  readonly promotion: HeldBack | undefined;
  readonly details: ClusterDetails;
  /** The number of clusters on which the hub has to create or to remove the add-on. */
  readonly awaited: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A cause on one cluster. */
export interface ClusterCause extends StatusCause {
  /** In RFC 3339. */
  readonly since?: string;
  readonly wave?: PendingWave;
}

/** Returns a cause if the evidence shows it. */
export type CauseRule = (evidence: Evidence) => ClusterCause | undefined;

/** How long a controller or an agent may take to react, in milliseconds. */
const patience = 5000;

/**
 * Whether something happened so recently that a controller or an agent may not have reacted.
 *
 * @param limit - in milliseconds
 */
export function isRecent(time: string | null | undefined, now: number, limit = patience): boolean {
  return now - (moment(time ?? undefined) ?? 0) < limit;
}

/** The maximum number of characters of a message of the hub in a cause. */
const longestQuote = 400;

/** How long the controllers of a hub may take to create or to remove an add-on, in milliseconds. They need seconds. */
const reactionTime = 120_000;

/** How much longer they may take for each cluster that waits, in milliseconds: they send some tens of requests per second. */
const timePerCluster = 100;

/**
 * Returns the cause of an add-on that the hub has not created or removed: it is on its way at first, and not minutes after the last
 * change of what decides.
 */
export function unreacted(
  { details: { decided }, awaited, now }: Evidence,
  pending: 'hub-pending' | 'not-removed' | 'taint',
  message: string,
  since: string | null | undefined = decided,
): ClusterCause {
  const isOverdue = decided !== undefined && !isRecent(decided, now, reactionTime + awaited * timePerCluster);
  return isOverdue
    ? causeOf('hub-silent', `${message}, minutes after the last change of what decides`, decided)
    : causeOf(pending, message, since);
}

/** Returns a cause; `since` may be absent. */
export function causeOf(code: CauseCode, message: string, since?: string | null): ClusterCause {
  const text = message.length > longestQuote ? `${message.slice(0, longestQuote)}…` : message;
  const sentence = text.replace(/\.$/, '');
  return { code, message: sentence, ...(since === undefined || since === null ? {} : { since }) };
}

/** Returns a condition of the ManagedClusterAddOn. */
export function addOnCondition({ observed }: Evidence, type: string): Condition | undefined {
  return conditionOf(observed?.status?.conditions, type);
}

/** Whether the condition has the status `False`. */
export function isFalse(condition: Condition | undefined): condition is Condition {
  return condition?.status === 'False';
}
