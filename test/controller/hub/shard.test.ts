import { expect, test } from 'vitest';
import { isServed, wholeHub } from '../../../src/controller/hub/shard.ts';

const names = Array.from({ length: 10_000 }, (_, index) => `cluster-${String(index).padStart(5, '0')}`);

test('every cluster has exactly one shard', () => {
  for (const name of names.slice(0, 1000)) {
    const shards = Array.from({ length: 8 }, (_, index) => isServed(name, { index, count: 8 }));
    expect(shards.filter(Boolean)).toHaveLength(1);
  }
});

test.each([2, 3, 8, 64])('%s shards have about equally many clusters', (count) => {
  for (let index = 0; index < count; index += 1) {
    const size = names.filter((name) => isServed(name, { index, count })).length;
    expect(Math.abs(size / (names.length / count) - 1)).toBeLessThan(0.3);
  }
});

test('one shard has all clusters', () => {
  expect(names.every((name) => isServed(name, wholeHub))).toBe(true);
});
