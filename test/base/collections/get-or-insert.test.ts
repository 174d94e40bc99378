import { expect, test } from 'vitest';
import { getOrInsertComputed } from '../../../src/base/collections/get-or-insert.ts';

test('a value is computed once per key', () => {
  const computed: string[] = [];
  const lengths = new Map<string, number>();
  const lengthOf = (text: string): number =>
    getOrInsertComputed(lengths, text, (key) => {
      computed.push(key);
      return key.length;
    });
  expect([lengthOf('a'), lengthOf('bc'), lengthOf('a')]).toEqual([1, 2, 1]);
  expect(computed).toEqual(['a', 'bc']);
});

test('0, an empty text and false are values', () => {
  for (const value of [0, '', false]) {
    const entries = new Map<string, unknown>([['a', value]]);
    expect(getOrInsertComputed(entries, 'a', () => 'computed')).toBe(value);
  }
});

test('a list is inserted between grouped values', () => {
  const groups = new WeakMap<object, string[]>();
  const key = {};
  getOrInsertComputed(groups, key, () => []).push('a');
  getOrInsertComputed(groups, key, () => []).push('b');
  expect(groups.get(key)).toEqual(['a', 'b']);
});
