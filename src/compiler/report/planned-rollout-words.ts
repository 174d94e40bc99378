import type { PlannedRollout } from '../compare/placements/waves.ts';
import { counted } from '../model/words.ts';
import { someOf } from './plan-words.ts';
import { finishWords } from './time-words.ts';

/** Returns `3 waves, finished after 20m at the earliest`. A rollout that stops or does not complete has no end. */
export function rolloutWords({
  waves,
  stops,
  incomplete,
  finishedAfter,
  finishedEarliest,
  byPromotion,
}: PlannedRollout): string {
  const isFinished = stops.length === 0 && incomplete === undefined;
  const finish = isFinished ? finishWords({ earliest: finishedEarliest, after: finishedAfter }) : '';
  return `${counted(waves.length, 'wave')}${byPromotion === true ? ' of the promotion' : ''}${finish}`;
}

/**
 * Returns where a rollout ends early, and why: `stops in wave 2: waits for "c1", and there is no progressDeadline; 3 clusters left`, or
 * `does not complete: "c1" refuses the change`. Empty if it completes.
 */
export function endWords({ stops, incomplete }: PlannedRollout): readonly EndWords[] {
  return [
    ...stops.map(({ wave, message, left }) => ({
      verb: wave === undefined ? 'stops' : `stops in wave ${wave}`,
      words: `${message}; ${counted(left.length, 'cluster')} left`,
      left,
    })),
    ...(incomplete === undefined ? [] : [{ verb: 'does not complete', words: incomplete, left: [] }]),
  ];
}

/** The early end of a rollout. */
interface EndWords {
  readonly verb: string;
  readonly words: string;
  /** The clusters that it does not reach. */
  readonly left: readonly string[];
}

/** Returns `, which refuse the change` or `, of which 2 refuse the change: a, b`. Empty if no cluster of the wave does. */
export function refusingWords(
  clusters: readonly string[],
  refusing: readonly string[] = [],
  most: number,
): string {
  if (refusing.length === 0) return '';
  const verb = refusing.length === 1 ? 'refuses' : 'refuse';
  if (refusing.length === clusters.length) return `, which ${verb} the change`;
  return `, of which ${refusing.length} ${verb} the change: ${someOf(refusing, most)}`;
}
