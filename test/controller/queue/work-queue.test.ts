import { expect, test } from 'vitest';
import { WorkQueue } from '../../../src/controller/queue/work-queue.ts';
import { ManualClock } from '../manual-clock.ts';

function newQueue(): { readonly queue: WorkQueue; readonly clock: ManualClock } {
  const clock = new ManualClock();
  return {
    clock,
    queue: new WorkQueue({ name: 'test', clock, backoff: { first: 100, longest: 1000 } }),
  };
}

test('a key that is added twice is returned once', async () => {
  const { queue } = newQueue();
  queue.add('a');
  queue.add('b');
  queue.add('a');
  expect(await queue.take()).toBe('a');
  expect(await queue.take()).toBe('b');
  expect(queue.depth).toBe(0);
});

test('a key is not returned while it is processed, and again after that', async () => {
  const { queue } = newQueue();
  queue.add('a');
  expect(await queue.take()).toBe('a');
  queue.add('a');
  expect(queue.depth).toBe(0);
  queue.done('a');
  expect(await queue.take()).toBe('a');
  queue.done('a');
  expect(queue.depth).toBe(0);
});

test('a worker that waits for a key gets the first one', async () => {
  const { queue } = newQueue();
  const taken = queue.take();
  queue.add('a');
  expect(await taken).toBe('a');
});

test('a key that fails is delayed longer each time, and not at all after a success', async () => {
  const { queue, clock } = newQueue();
  const waits: number[] = [];
  for (const failure of [1, 2, 3, 4, 5]) {
    queue.addFailed(`a`);
    const before = clock.elapsed();
    while (queue.depth === 0) await clock.pass(50);
    waits.push(clock.elapsed() - before);
    expect(await queue.take(), `failure ${failure}`).toBe('a');
    queue.done('a');
  }
  expect(waits).toEqual([100, 200, 400, 800, 1000]);
  queue.forget('a');
  queue.addFailed('a');
  await clock.pass(100);
  expect(queue.depth).toBe(1);
});

test('of two times for one key the earlier counts', async () => {
  const { queue, clock } = newQueue();
  queue.addAfter('a', 500);
  queue.addAfter('a', 100);
  queue.addAfter('a', 900);
  await clock.pass(100);
  expect(await queue.take()).toBe('a');
  queue.done('a');
  await clock.pass(2000);
  expect(queue.depth).toBe(0);
});

test('a delayed key that is added now is not added again later', async () => {
  const { queue, clock } = newQueue();
  queue.addAfter('a', 100);
  queue.add('a');
  expect(await queue.take()).toBe('a');
  queue.done('a');
  await clock.pass(200);
  expect(queue.depth).toBe(0);
});

test('keys are returned in the order in which they were added', async () => {
  const { queue } = newQueue();
  const names = Array.from({ length: 50 }, (_, index) => `k${index}`);
  const given: (string | undefined)[] = [];
  for (const [index, name] of names.entries()) {
    queue.add(name);
    if (index % 3 === 0) given.push(await queue.take());
  }
  while (queue.depth > 0) given.push(await queue.take());
  expect(given).toEqual(names);
});

test('parties are served in turn, and each in the order in which its keys came', async () => {
  const { queue } = newQueue();
  for (let key = 0; key < 1000; key += 1) queue.add(`flooding/${key}`);
  for (const key of ['calm/0', 'calm/1', 'quiet/0']) queue.add(key);
  const served: (string | undefined)[] = [];
  for (let turn = 0; turn < 8; turn += 1) served.push(await queue.take());
  expect(served).toEqual([
    'flooding/0',
    'calm/0',
    'quiet/0',
    'flooding/1',
    'calm/1',
    'flooding/2',
    'flooding/3',
    'flooding/4',
  ]);
  // A party that was done is served at the next turn when it comes again.
  queue.add('quiet/1');
  expect([await queue.take(), await queue.take()]).toEqual(['flooding/5', 'quiet/1']);
});

test('300,000 keys are returned in negligible time', async () => {
  const { queue } = newQueue();
  for (let key = 0; key < 300_000; key += 1) queue.add(`n${key % 1000}/k${key}`);
  const started = process.cpuUsage();
  while (queue.depth > 0) queue.done((await queue.take()) ?? '');
  const { user, system } = process.cpuUsage(started);
  // Where each takes longer the more came before it, it is more than ten seconds. In microseconds.
  expect(user + system).toBeLessThan(5_000_000);
});

test('the duration of the longest work is available', async () => {
  const { queue, clock } = newQueue();
  expect(queue.longest).toBeUndefined();
  queue.add('a');
  await queue.take();
  await clock.pass(100);
  queue.add('b');
  await queue.take();
  await clock.pass(100);
  expect(queue.longest).toEqual({ key: 'a', ms: 200 });
  queue.done('a');
  expect(queue.longest).toEqual({ key: 'b', ms: 100 });
});

test('a queue that is shut down sends its workers home and takes nothing more', async () => {
  const { queue, clock } = newQueue();
  const waiting = [queue.take(), queue.take()];
  queue.addAfter('later', 10);
  queue.shutDown();
  expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
  queue.add('a');
  await clock.pass(100);
  expect(await queue.take()).toBeUndefined();
});
