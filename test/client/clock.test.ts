import { expect, test } from 'vitest';
import { microTimestamp, systemClock, timestamp } from '../../src/client/clock.ts';

test('a sleep ends early when its signal is aborted, also before it begins', async () => {
  const [stop, started] = [new AbortController(), systemClock.elapsed()];
  const slept = systemClock.sleep(60_000, stop.signal);
  stop.abort();
  await slept;
  await systemClock.sleep(60_000, stop.signal);
  expect(systemClock.elapsed() - started).toBeLessThan(30_000);
});

test('a sleep of weeks is not shortened', async () => {
  const stop = new AbortController();
  let over = false;
  const slept = systemClock.sleep(40 * 24 * 3_600_000, stop.signal).then(() => (over = true));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(over).toBe(false);
  stop.abort();
  await slept;
});

test('times are written as the API server writes them', () => {
  const ms = Date.UTC(2026, 0, 31, 12, 0, 0, 7);
  expect([timestamp(ms), microTimestamp(ms)]).toEqual([
    '2026-01-31T12:00:00Z',
    '2026-01-31T12:00:00.007000Z',
  ]);
});
