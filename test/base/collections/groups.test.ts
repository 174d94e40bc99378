import { expect, test } from 'vitest';
import { addToGroup, groupBy } from '../../../src/base/collections/groups.ts';

test('groups are in the order of their first items, and items in the order of the input', () => {
  const groups = groupBy(['b1', 'a1', 'b2'], ([letter]) => letter);
  expect([...groups]).toEqual([
    ['b', ['b1', 'b2']],
    ['a', ['a1']],
  ]);
});

test('an item is added to the existing group of its key', () => {
  const groups = new Map([['a', [1]]]);
  addToGroup(groups, 'a', 2);
  addToGroup(groups, 'b', 3);
  expect([...groups]).toEqual([
    ['a', [1, 2]],
    ['b', [3]],
  ]);
});
