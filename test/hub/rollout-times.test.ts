import { appendFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { connect } from './client/hub.ts';
import { releaseOf } from './client/release.ts';
import { sharedHub } from './client/shared-hub.ts';
import { play, type TimedChange } from './rollout-times/play.ts';
import { timedScenario } from './rollout-times/timed-scenario.ts';

const { versions, ...address } = sharedHub();
const hub = connect({ ...address, versions });
afterAll(() => hub.close());

/** How many rollouts are played, and from which seed. */
const count = Number(process.env['ROLLOUTS'] ?? 12);
const firstSeed = Number(process.env['ROLLOUT_SEED'] ?? 1);
const parallel = 12;
/** A file to which each change is written, with its time and the predicted ones. */
const table = process.env['ROLLOUT_TABLE'];

/** The hub stores times in seconds, so that a soak can be shorter by one. */
const rounding = 1_000;

test('no cluster changes earlier than predicted, while agents answer', { timeout: 1_800_000 }, async () => {
  const waiting = Array.from({ length: count }, (_, index) => firstSeed + index);
  const early: string[] = [];
  const total = { predicted: 0, seen: 0, early: 0, earlierThanSoaks: 0 };
  const work = async (): Promise<void> => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      for (const change of await play(hub, timedScenario(seed), releaseOf(versions))) {
        const line = `seed ${seed}: ${changeWords(change)}`;
        if (table !== undefined) appendFileSync(table, `${line}\n`);
        total.predicted += 1;
        if (change.at !== undefined) total.seen += 1;
        if (isBefore(change, change.after)) total.earlierThanSoaks += 1;
        if (isBefore(change, change.earliest)) early.push(line);
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  total.early = early.length;
  process.stdout.write(`rollout times: ${JSON.stringify(total)}\n`);
  expect(early).toEqual([]);
  // On a slow machine some agents are later than the deadlines.
  expect(total.seen).toBeGreaterThan(total.predicted / 2);
});

function isBefore({ at }: TimedChange, time: number | undefined): boolean {
  return at !== undefined && (time === undefined || at < time - rounding);
}

function changeWords({ stage, cluster, wave, earliest, after, at }: TimedChange): string {
  return `${stage} ${cluster} wave ${wave ?? 'none'} predicted ${earliest ?? '-'} to ${after ?? '-'}, seen ${at ?? 'never'}`;
}
