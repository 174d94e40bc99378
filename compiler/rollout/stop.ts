import type { ResolvedAddOn } from '../configure/configuration.ts';
import type { Lane } from './lane.ts';
import type { Step } from './progress.ts';

/** Why a rollout goes no further. */
export type StopReason =
  /** The hub cannot work with what it finds. */
  | 'error'
  /** More clusters failed than the strategy bears. */
  | 'too many failures'
  /** A cluster failed, and mandatory groups bear none anywhere in the placement. */
  | 'mandatory groups'
  /** A cluster is under way, and no deadline ends that. */
  | 'under way'
  /** A cluster has succeeded and the hub does not know since when, so that it soaks for ever. */
  | 'soaking'
  /** A selected cluster takes part in the rollout of another placement, or in none. */
  | 'foreign cluster';

/** Where a rollout ends before all clusters had their turn. */
export interface Stop {
  /** `namespace/name` of the Placement; absent where the whole add-on stands still. */
  readonly placement?: string;
  readonly reason: StopReason;
  /** One sentence without a full stop. */
  readonly message: string;
  /** The clusters that hold it up, sorted by name. */
  readonly culprits: readonly string[];
  /** The clusters that keep what they had, sorted by name. */
  readonly left: readonly string[];
}

/** Why clusters of a lane still wait when time changes nothing more; undefined where none does. */
export function stopOf(lane: Lane, step: Step, now: number, addOn: ResolvedAddOn): Stop | undefined {
  const left = lane.waiting();
  if (left.length === 0) return undefined;
  return { placement: lane.node.placement, left, ...reasonFor(lane, step, now, addOn) };
}

type Reason = Pick<Stop, 'reason' | 'message' | 'culprits'>;

function reasonFor(lane: Lane, { breached, foreign }: Step, now: number, addOn: ResolvedAddOn): Reason {
  const late = lane.standing('late', now);
  const underWay = lane.standing('under way', now);
  const soaking = lane.standing('soaking', now);
  if (breached) {
    const failed = late.length > 0 ? late : underWay;
    return {
      reason: 'too many failures',
      culprits: failed,
      message: `${some(failed)} failed, more than maxFailures allows`,
    };
  }
  if (underWay.length > 0) {
    // A deadline that is set ends nothing where the hub does not know when it began.
    const why =
      lane.node.strategy.progressDeadline === Infinity
        ? 'and there is no progressDeadline'
        : 'indefinitely: the hub does not know when it began';
    return { reason: 'under way', culprits: underWay, message: `waits for ${some(underWay)}, ${why}` };
  }
  if (soaking.length > 0) {
    const message = `waits for ${some(soaking)} to soak, indefinitely: the hub does not know when it began`;
    return { reason: 'soaking', culprits: soaking, message };
  }
  if (foreign.length > 0) {
    const culprits = [...foreign].sort();
    return { reason: 'foreign cluster', culprits, message: `waits for ${whose(culprits, addOn)}` };
  }
  return {
    reason: 'mandatory groups',
    culprits: late,
    message: `${some(late)} failed, and with mandatory groups no failure is borne anywhere`,
  };
}

/** Whose clusters these are, after the first of them. */
function whose(foreign: readonly string[], { clusters }: ResolvedAddOn): string {
  const leader = clusters.get(foreign[0] ?? '')?.placements.at(-1);
  if (leader === undefined) return `${some(foreign)}, where the add-on is never installed`;
  return `${some(foreign)}, which the later placement ${JSON.stringify(leader)} leads`;
}

/** Quotes the first three. */
export function some(clusters: readonly string[]): string {
  const shown = clusters
    .slice(0, 3)
    .map((cluster) => JSON.stringify(cluster))
    .join(', ');
  return clusters.length > 3 ? `${shown} and ${clusters.length - 3} more` : shown;
}
