import type { HubVersion } from '../../ocm/hub-version.ts';
import type { DecidedCondition } from '../place/decision.ts';

/** The cluster counts of one placement, as the hub reports them in `status.installProgressions`. */
export interface ProgressionCounts {
  /** The number of clusters that the placement selects. */
  readonly selected: number;
  /** The number of selected clusters whose add-on no later placement configures. */
  readonly configured: number;
  /** The number of add-ons that start to change, are in progress or soak. */
  readonly progressing: number;
  /** The number of add-ons that are complete. */
  readonly done: number;
  readonly failed: number;
  readonly timedOut: number;
}

/** The progress of the rollout of one placement, as the hub reports it. */
export interface Progression {
  /** `namespace/name` of the Placement. */
  readonly placement: string;
  readonly counts: ProgressionCounts;
  /** Whether `lastAppliedConfig` and `lastKnownGoodConfig` follow `desiredConfig` with this report. */
  readonly completed: boolean;
  readonly condition: DecidedCondition;
}

/**
 * Returns the progression of a placement with the condition Progressing. As setAddOnInstallProgressionsAndLastApplied: a
 * placement that selects nothing is never completed.
 */
export function progressionOf(placement: string, counts: ProgressionCounts, hub: HubVersion): Progression {
  const { selected, configured, progressing, done, failed, timedOut } = counts;
  const total = hub.countsConfiguredAddOns ? configured : selected;
  const completed = total > 0 && done === total;
  const reached = completed
    ? `${done}/${total} completed with no errors`
    : `${progressing + done}/${total} progressing...`;
  const prefix = hub.countsConfiguredAddOns ? `selected clusters ${selected}. configured addons ` : '';
  return {
    placement,
    counts,
    completed,
    condition: {
      type: 'Progressing',
      status: completed ? 'False' : 'True',
      reason: completed ? 'Completed' : 'Progressing',
      message: `${prefix}${reached}, ${failed} failed ${timedOut} timeout.`,
    },
  };
}
