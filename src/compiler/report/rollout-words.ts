import { counted } from '../model/words.ts';
import type { Rollout, StartOrder } from '../rollout/simulation/simulate-rollout.ts';
import type { WavePart } from '../rollout/wave.ts';
import { finishWords, rangeWords, type TimeRange } from './time-words.ts';

/** The reported rollout of an add-on. */
export type Stage = 'installation' | 'update';

/** Returns `installation in 3 waves, finished after 5m to 15m` or `update stops after 1 wave`. */
export function rolloutWords(stage: Stage, { waves, stops, settledAfter, settledEarliest }: Rollout): string {
  if (stops.length > 0)
    return `${stage} stops ${waves.length === 0 ? 'immediately' : `after ${counted(waves.length, 'wave')}`}`;
  if (waves.length === 0) return `${stage} changes nothing`;
  const finish = finishWords({ earliest: settledEarliest, after: settledAfter });
  return `${stage} in ${counted(waves.length, 'wave')}${finish}`;
}

/** Returns when a wave starts: ` after 5m`, ` after 5m to 10m`. Empty if it starts immediately. */
export function afterWords(wave: TimeRange): string {
  return wave.after === 0 ? '' : ` after ${rangeWords(wave)}`;
}

/** Returns which clusters can start before those of the first wave, and when. */
export function startOrderWords(startOrder: StartOrder): string {
  return startOrder === 'any cluster'
    ? 'any cluster can be in the first wave: the hub configures those whose ManagedClusterAddOn it creates first'
    : 'any group can start first if ManagedClusterAddOns of an earlier installation are left: they count as successful until they are removed';
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
