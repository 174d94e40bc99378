import { counted } from '../model/words.ts';
import type { Rollout } from '../rollout/simulate-rollout.ts';
import type { WavePart } from '../rollout/wave.ts';
import { durationWords } from './plan-words.ts';

/** The reported rollout of an add-on. */
export type Stage = 'installation' | 'update';

/** Returns `installation in 3 waves, finished after 15m at the earliest` or `update stops after 1 wave`. */
export function rolloutWords(stage: Stage, { waves, stops, settledAfter }: Rollout): string {
  if (stops.length > 0)
    return `${stage} stops ${waves.length === 0 ? 'at once' : `after ${counted(waves.length, 'wave')}`}`;
  if (waves.length === 0) return `${stage} changes nothing`;
  const over = settledAfter === 0 ? '' : `, finished after ${durationWords(settledAfter)} at the earliest`;
  return `${stage} in ${counted(waves.length, 'wave')}${over}`;
}

/** Returns the earliest time of a wave: ` after 5m`. Empty if it starts immediately. */
export function afterWords(after: number): string {
  return after === 0 ? '' : ` after ${durationWords(after)}`;
}

/** Returns a description of a part's clusters: `default/placement, group 0 "canary", mandatory`. */
export function partWords({ cause, placement, group }: WavePart): string {
  const words = [placement ?? 'outside any placement'];
  if (group !== undefined) words.push(`group ${group.index}${group.name === '' ? '' : ` "${group.name}"`}`);
  if (group?.mandatory === true) words.push('mandatory');
  if (cause === 'own configuration') words.push('own configuration edited');
  return words.join(', ');
}

/** Returns the state of the clusters that the rollout did not reach. */
export function remainingWords(stage: Stage, remaining: number): string {
  return `${counted(remaining, 'cluster')} left ${stage === 'installation' ? 'without the configuration' : 'as before'}`;
}
