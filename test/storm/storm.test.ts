import { expect, test } from 'vitest';
import { storm } from './storm.ts';

const first = Number(process.env['STORM_SEED'] ?? 1);
const count = Number(process.env['STORM_COUNT'] ?? 12);

// `STORM_SEED=7 STORM_COUNT=1` plays one history again.
test(
  `no state that synth --check accepts deletes what clusters use, in ${count} random histories of Git`,
  { timeout: count * 60_000 },
  async () => {
    const faults: string[] = [];
    let [accepted, refused] = [0, 0];
    for (let seed = first; seed < first + count; seed++) {
      const started = Date.now();
      const result = await storm(seed);
      if (process.env['STORM_COUNT'] !== undefined)
        process.stderr.write(`${JSON.stringify({ ...result, seconds: (Date.now() - started) / 1000 })}\n`);
      faults.push(...result.faults);
      accepted += result.accepted;
      refused += result.refused;
    }
    expect(faults).toEqual([]);
    expect(accepted).toBeGreaterThan(count * 5);
    expect(refused).toBeGreaterThan(0);
  },
);
