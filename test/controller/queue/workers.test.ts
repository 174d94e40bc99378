import { expect, test } from 'vitest';
import { ApiError, TerminalError } from '../../../src/client/api-error.ts';
import { WorkQueue } from '../../../src/controller/queue/work-queue.ts';
import { runWorkers, type Reconcile } from '../../../src/controller/queue/workers.ts';
import { RecordingLog } from '../recording-log.ts';
import { ManualClock } from '../manual-clock.ts';

function start(reconcile: Reconcile, workers = 1) {
  const [clock, log, stop] = [new ManualClock(), new RecordingLog(), new AbortController()];
  const queue = new WorkQueue({ name: 'test', clock, backoff: { first: 100, longest: 1000 } });
  const errors: boolean[] = [];
  const onError = (_queue: string, terminal: boolean): void => void errors.push(terminal);
  const running = runWorkers({ queue, reconcile, workers, clock, log, onError }, stop.signal);
  return { clock, log, queue, errors, end: async () => (stop.abort(), await running) };
}

test('failed work is retried until it succeeds', async () => {
  let calls = 0;
  const { clock, queue, errors, end } = start(async () => {
    calls += 1;
    if (calls < 4) throw new Error('not yet');
    return await Promise.resolve(undefined);
  });
  queue.add('a');
  await clock.pass(10_000);
  await end();
  expect(calls).toBe(4);
  expect(errors).toEqual([false, false, false]);
});

test.each([
  ['a terminal error', new TerminalError('the object makes no sense')],
  ['what the server calls invalid', new ApiError('PUT /x', { code: 422, reason: 'Invalid', message: 'no' })],
])('%s is not tried again before something changes', async (_, error) => {
  let calls = 0;
  const { clock, queue, errors, end } = start(async () => {
    calls += 1;
    return await Promise.reject(error);
  });
  queue.add('a');
  await clock.pass(100_000);
  expect(calls).toBe(1);
  queue.add('a');
  await clock.pass(100_000);
  await end();
  expect(calls).toBe(2);
  expect(errors).toEqual([true, true]);
});

test('work that a busy server rejected is retried when the server allows, and is not an error', async () => {
  let calls = 0;
  const status = { code: 429, reason: 'TooManyRequests', message: 'busy', retryAfterSeconds: 7 };
  const { clock, queue, errors, log, end } = start(async () => {
    calls += 1;
    return await Promise.reject(new ApiError('PATCH /x', status));
  });
  queue.add('a');
  await clock.pass(6900);
  expect(calls).toBe(1);
  await clock.pass(200);
  await end();
  expect(calls).toBe(2);
  expect(errors).toEqual([]);
  expect(log.lines[0]).toBe('warn the API server is too busy {"error":"PATCH /x: busy","retryAfterMs":7000}');
});

test('a busy server delays a key by at most 30 s, and keys are not all retried at the same time', async () => {
  const status = { code: 429, reason: 'TooManyRequests', message: 'busy', retryAfterSeconds: 3600 };
  const { clock, queue, log, end } = start(
    async () => await Promise.reject(new ApiError('PATCH /x', status)),
  );
  clock.random = () => 0.5;
  queue.add('a');
  await clock.pass(1);
  await end();
  expect(log.lines[0]).toMatch(/"retryAfterMs":33000\}$/);
});

test('a conflict with another writer is not an error', async () => {
  let calls = 0;
  const { clock, queue, errors, log, end } = start(async () => {
    calls += 1;
    if (calls === 1) throw new ApiError('PUT /x', { code: 409, reason: 'Conflict', message: 'modified' });
    return await Promise.resolve(undefined);
  });
  queue.add('a');
  await clock.pass(1000);
  await end();
  expect(calls).toBe(2);
  expect(errors).toEqual([]);
  expect(log.lines.filter((line) => line.startsWith('error'))).toEqual([]);
});

test('a key can request to be processed again', async () => {
  let calls = 0;
  const { clock, queue, end } = start(async () => {
    calls += 1;
    return await Promise.resolve({ requeueAfter: 1000 });
  });
  queue.add('a');
  await clock.pass(3500);
  await end();
  expect(calls).toBe(4);
});

test('several workers work at a time, never two on one key', async () => {
  const active = new Set<string>();
  let most = 0;
  const { clock, queue, end } = start(async (key) => {
    expect(active.has(key)).toBe(false);
    active.add(key);
    most = Math.max(most, active.size);
    await clock.sleep(100);
    active.delete(key);
    return undefined;
  }, 3);
  for (const key of ['a', 'b', 'c', 'd', 'a', 'b']) queue.add(key);
  await clock.pass(50);
  queue.add('a');
  await clock.pass(1000);
  await end();
  expect(most).toBe(3);
});

test('work that needs no answer from elsewhere keeps no timer waiting', async () => {
  let done = 0;
  const { queue, end } = start(async () => {
    done += 1;
    const until = performance.now() + 1;
    while (performance.now() < until);
    return await Promise.resolve(undefined);
  }, 8);
  const keys = 2000;
  for (let key = 0; key < keys; key += 1) queue.add(`k${key}`);
  let timers = 0;
  const timer = setInterval(() => (timers += 1), 1);
  await expect.poll(() => done, { interval: 5 }).toBe(keys);
  clearInterval(timer);
  await end();
  // Each time that all workers have had a key.
  expect(timers).toBeGreaterThan(keys / 8 / 5);
});

test('the end waits for the work that is under way', async () => {
  const finished: string[] = [];
  const { clock, queue, end } = start(async (key) => {
    await clock.sleep(100);
    finished.push(key);
    return undefined;
  });
  queue.add('a');
  queue.add('b');
  await clock.pass(10);
  const ended = end();
  await clock.pass(200);
  await ended;
  expect(finished).toEqual(['a']);
});
