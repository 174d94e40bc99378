import type { HubVersion } from '../../../src/ocm/hub-version.ts';
import type { Hub } from '../client/hub.ts';
import { play, type TimedChange } from './play.ts';
import { timedScenario } from './timed-scenario.ts';

/** The hub stores times in seconds, so that a soak can be shorter by one. */
const rounding = 1_000;

export interface TimedRollouts {
  /** The clusters that change, of all rollouts together. */
  readonly predicted: number;
  readonly seen: number;
  /** Changes before the earliest time that the prediction has. */
  readonly early: readonly string[];
  /** Clusters of updates that change before one of an earlier wave. */
  readonly unordered: readonly string[];
  /** Changes before the time with full soaks. */
  readonly earlierThanSoaks: number;
}

/** Plays random rollouts with agents that answer, several at the same time, and counts the clusters that change too early. */
export async function timedRollouts(
  hub: Hub,
  release: HubVersion,
  {
    seeds,
    parallel,
    onChange,
  }: {
    readonly seeds: readonly number[];
    readonly parallel: number;
    readonly onChange?: ((line: string) => void) | undefined;
  },
): Promise<TimedRollouts> {
  const waiting = [...seeds];
  const early: string[] = [];
  const unordered: string[] = [];
  const total = { predicted: 0, seen: 0, earlierThanSoaks: 0 };
  const work = async (): Promise<void> => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const changes = await play(hub, timedScenario(seed), release);
      unordered.push(
        ...changes
          .filter((each) => isOvertaking(each, changes))
          .map((each) => `seed ${seed}: ${changeWords(each)}`),
      );
      for (const change of changes) {
        const line = `seed ${seed}: ${changeWords(change)}`;
        onChange?.(line);
        total.predicted += 1;
        if (change.at !== undefined) total.seen += 1;
        if (isBefore(change, change.after)) total.earlierThanSoaks += 1;
        if (isBefore(change, change.earliest)) early.push(line);
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return { ...total, early, unordered };
}

function isBefore({ at }: TimedChange, time: number | undefined): boolean {
  return at !== undefined && (time === undefined || at < time - rounding);
}

/** Whether a cluster of an update changes before one of an earlier wave. An installation has no certain order. */
function isOvertaking(
  { stage, wave = 0, at = Infinity }: TimedChange,
  changes: readonly TimedChange[],
): boolean {
  if (stage !== 'update') return false;
  return changes.some(
    (other) => other.stage === stage && (other.wave ?? wave) < wave && (other.at ?? 0) > at + rounding,
  );
}

function changeWords({ stage, cluster, wave, earliest, after, at }: TimedChange): string {
  return `${stage} ${cluster} wave ${wave ?? 'none'} predicted ${earliest ?? '-'} to ${after ?? '-'}, seen ${at ?? 'never'}`;
}
