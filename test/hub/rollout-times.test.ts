import { appendFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { connect } from './client/hub.ts';
import { releaseOf } from './client/release.ts';
import { startHub } from './process/start-hub.ts';
import { timedRollouts } from './rollout-times/timed-rollouts.ts';

// A hub with OCM's webhooks, as users have it.
const running = await startHub();
const hub = connect(running);
afterAll(async () => {
  hub.close();
  await running.stop();
});

/** How many rollouts are played, and from which seed. */
const count = Number(process.env['ROLLOUTS'] ?? 8);
const firstSeed = Number(process.env['ROLLOUT_SEED'] ?? 1);
/** A file to which each change is written, with its time and the predicted ones. */
const table = process.env['ROLLOUT_TABLE'];

test(
  'no cluster changes earlier than predicted, and updates keep their order, while agents answer',
  { timeout: 1_800_000 },
  async () => {
    const { early, unordered, ...total } = await timedRollouts(hub, releaseOf(running.versions), {
      seeds: Array.from({ length: count }, (_, index) => firstSeed + index),
      parallel: 12,
      onChange: table === undefined ? undefined : (line) => appendFileSync(table, `${line}\n`),
    });
    process.stdout.write(
      `rollout times: ${JSON.stringify({ ...total, early: early.length, unordered: unordered.length })}\n`,
    );
    expect(early).toEqual([]);
    expect(unordered).toEqual([]);
    // On a slow machine some agents are later than the deadlines.
    expect(total.seen).toBeGreaterThan(total.predicted / 2);
  },
);
