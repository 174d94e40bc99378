import type { ResolvedAddOn } from '../configure/resolved-add-on.ts';
import type { PlacementRollout } from './simulation/placement-rollout.ts';
import type { Step } from './progress.ts';

const nobody: ReadonlySet<string> = new Set();

/** The reason why a rollout stops. */
export type StopReason =
  /** The hub cannot process its input. */
  | 'error'
  /** More clusters failed than the strategy allows. */
  | 'too many failures'
  /** A cluster failed, and mandatory groups allow no failures anywhere in the placement. */
  | 'mandatory groups'
  /** A cluster is in progress, and no deadline ends that. */
  | 'under way'
  /** A cluster has succeeded and the hub does not know the time, so that it soaks indefinitely. */
  | 'soaking'
  /** A selected cluster takes part in the rollout of another placement, or of none. */
  | 'foreign cluster';

/** A point at which a rollout ends before all clusters were configured. */
export interface Stop {
  /** `namespace/name` of the Placement. Absent if the whole add-on stops. */
  readonly placement?: string;
  readonly reason: StopReason;
  /** One sentence without a period. */
  readonly message: string;
  /** The clusters that block it, sorted by name. */
  readonly culprits: readonly string[];
  /** The clusters that keep their configuration, sorted by name. */
  readonly left: readonly string[];
  /** Those of `left` that change before the stop if the hub counts soaks from the earliest time. Absent if there are none. */
  readonly early?: readonly EarlyCluster[];
}

/** A cluster that changes only if soaks end early. */
export interface EarlyCluster {
  readonly cluster: string;
  /** Milliseconds after the start of the rollout. */
  readonly earliest: number;
}

/** The add-on, the time of the stop, and the clusters whose API servers refuse the change. */
interface StopContext {
  readonly addOn: ResolvedAddOn;
  readonly now: number;
  readonly refusing?: ReadonlySet<string> | undefined;
}

/** Returns why clusters of a placement still wait when time alone changes nothing any more. Undefined if no cluster waits. */
export function stopOf(
  placementRollout: PlacementRollout,
  step: Step,
  context: StopContext,
): Stop | undefined {
  const left = placementRollout.waiting();
  if (left.length === 0) return undefined;
  return {
    placement: placementRollout.node.placement,
    left,
    ...reasonFor(placementRollout, step, context),
  };
}

type Reason = Pick<Stop, 'reason' | 'message' | 'culprits'>;

function reasonFor(
  placementRollout: PlacementRollout,
  { breached, foreign }: Step,
  { addOn, now, refusing }: StopContext,
): Reason {
  const late = placementRollout.inPhase('late', now);
  const underWay = placementRollout.inPhase('under way', now);
  const soaking = placementRollout.inPhase('soaking', now);
  if (breached) {
    const failed = late.length > 0 ? late : underWay;
    return {
      reason: 'too many failures',
      culprits: failed,
      message: `${failedWords(failed, refusing)}, more than maxFailures allows`,
    };
  }
  if (underWay.length > 0) {
    // A deadline has no effect if the hub does not know the start time.
    const why =
      placementRollout.node.strategy.progressDeadline === Infinity
        ? 'and there is no progressDeadline'
        : 'indefinitely: the hub does not know when it began';
    const message = `waits for ${blamed(underWay, refusing)}, ${why}`;
    return { reason: 'under way', culprits: underWay, message };
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
    message: `${failedWords(late, refusing)}, and with mandatory groups no failure is tolerated`,
  };
}

/** Describes the owner of these clusters, according to the first one. */
function whose(foreign: readonly string[], { clusters }: ResolvedAddOn): string {
  const leader = clusters.get(foreign[0] ?? '')?.placements.at(-1);
  if (leader === undefined) return `${some(foreign)}, where the add-on is never installed`;
  return `${some(foreign)}, which the later placement ${JSON.stringify(leader)} leads`;
}

/** Returns `"c1", which refuses the change`, or `"c1", "c2", of which 1 refuses the change`. */
export function blamed(
  clusters: readonly string[],
  refusing: ReadonlySet<string> = nobody,
  nameOf: (clusters: readonly string[]) => string = some,
): string {
  const count = clusters.filter((cluster) => refusing.has(cluster)).length;
  const named = nameOf(clusters);
  if (count === 0) return named;
  const verb = count === 1 ? 'refuses' : 'refuse';
  const who = count === clusters.length ? 'which' : `of which ${count}`;
  return `${named}, ${who} ${verb} the change`;
}

/** Returns `"c1" failed`, or `"c1", which refuses the change, failed`. */
export function failedWords(clusters: readonly string[], refusing: ReadonlySet<string> = nobody): string {
  const isRefused = clusters.some((cluster) => refusing.has(cluster));
  return `${blamed(clusters, refusing)}${isRefused ? ',' : ''} failed`;
}

/** Quotes the first three clusters. */
export function some(clusters: readonly string[]): string {
  const shown = clusters
    .slice(0, 3)
    .map((cluster) => JSON.stringify(cluster))
    .join(', ');
  return clusters.length > 3 ? `${shown} and ${clusters.length - 3} more` : shown;
}
