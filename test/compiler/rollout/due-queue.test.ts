import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DueQueue } from '../../../src/compiler/rollout/queue/due-queue.ts';

test('returns the earliest event first, regardless of the order of insertion', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 })), (times) => {
      const queue = new DueQueue();
      for (const at of times) queue.add({ at });
      const taken = times.map(() => [queue.first?.at, queue.take()?.at]);
      expect(taken).toEqual(times.sort((a, b) => a - b).map((at) => [at, at]));
      expect(queue.take()).toBeUndefined();
    }),
  );
});

test('keeps its order between taking and adding', () => {
  const queue = new DueQueue();
  for (const at of [5, 1, 3]) queue.add({ at });
  expect(queue.take()).toEqual({ at: 1 });
  queue.add({ at: 2 });
  queue.add({ at: 9 });
  expect([queue.take(), queue.take(), queue.take(), queue.take()].map((due) => due?.at)).toEqual([
    2, 3, 5, 9,
  ]);
});

test('does not keep entries that are never due', () => {
  const queue = new DueQueue();
  queue.add({ at: Infinity });
  expect(queue.first).toBeUndefined();
});
