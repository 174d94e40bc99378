import type { Progress } from './progress.ts';
import type { Strategy } from './strategy/strategy.ts';

/** The phase of a cluster that has started. */
export type ClusterPhase = 'under way' | 'soaking' | 'late' | 'through';

/** The parts of a strategy that limit the time of one cluster. */
export type TimeLimits = Pick<Strategy, 'type' | 'minSuccessTime' | 'progressDeadline'>;

/**
 * Returns when a cluster is complete or late, in milliseconds; `Infinity` for never. As sdk-go's determineRolloutStatus. A cluster
 * without a start time begins again at each evaluation by the hub.
 */
export function endOf(
  { type, minSuccessTime, progressDeadline }: TimeLimits,
  progress: Progress,
  since: number | undefined,
): number {
  if (progress === 'ToApply' || progressDeadline instanceof Error) return Infinity;
  // As sdk-go: All ignores its own minSuccessTime.
  const limit = progress !== 'Succeeded' ? progressDeadline : type === 'All' ? 0 : minSuccessTime;
  return since === undefined ? (limit > 0 ? Infinity : -Infinity) : since + limit;
}

/** Returns the phase of a cluster, or undefined if it has not started. */
export function phaseAt(progress: Progress, until: number, now: number): ClusterPhase | undefined {
  if (progress === 'ToApply') return undefined;
  if (progress === 'Succeeded') return until > now ? 'soaking' : 'through';
  return until > now ? 'under way' : 'late';
}
