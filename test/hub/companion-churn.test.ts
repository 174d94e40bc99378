import { expect, test } from 'vitest';
import { churn } from './churn/churn.ts';

/** CHURN_MINUTES=60 is the run at the desk; `bench/churn.ts` prints its memory on the way. */
const minutes = Number(process.env['CHURN_MINUTES'] ?? '1');
const storm = Math.min(150, minutes * 40);

test(
  'the controllers survive wrong answers, restarts and jumping clocks, approve nothing wrong, and recover after each storm',
  { timeout: minutes * 120_000 + 600_000 },
  async () => {
    const { faults, samples, ...figures } = await churn({ minutes, seed: 1, storm, calm: 120 });
    process.stderr.write(`${JSON.stringify(figures, undefined, 1)}\n`);
    expect(faults).toEqual([]);
    expect(figures.storms).toBeGreaterThan(0);
    expect(figures.hostileRequests).toBeGreaterThan(0);
    expect(Object.keys(figures.wrongAnswers).length).toBeGreaterThan(5);
    const last = samples.at(-1)?.memory ?? {};
    expect(Object.keys(last)).toEqual(['hub', 'replica', 'agent', 'status']);
    for (const { resident } of Object.values(last)) expect(resident).toBeLessThan(300);
  },
);
