import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareValues, leavesOf } from '../../../src/compiler/compare/compare-values.ts';

const paths = (before: unknown, after: unknown): string[] =>
  compareValues(before, after).map(({ path }) => path);

test('a value does not differ from itself', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(compareValues(value, structuredClone(value))).toEqual([]);
    }),
  );
});

test('the same number of values differs, in either order', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
      expect(compareValues(before, after).length).toBe(compareValues(after, before).length);
    }),
  );
});

test('entries of lists go by their names, so that one more in front is one difference', () => {
  const before = { containers: [{ name: 'a', image: 'x' }] };
  const after = {
    containers: [
      { name: 'b', image: 'y' },
      { name: 'a', image: 'z' },
    ],
  };
  expect(compareValues(before, after)).toEqual([
    { path: 'containers[b]', fieldPath: ['containers', 0], after: { name: 'b', image: 'y' } },
    { path: 'containers[a].image', fieldPath: ['containers', 1, 'image'], before: 'x', after: 'z' },
  ]);
});

test('lists without names, or with a name twice, go by position', () => {
  expect(paths([1, 2], [1, 3, 4])).toEqual(['[1]', '[2]']);
  expect(paths([{ name: 'a' }, { name: 'a' }], [{ name: 'a' }, { name: 'b' }])).toEqual(['[1].name']);
});

test('removed items are reported at their earlier position, after the present ones', () => {
  expect(compareValues({ a: 1, b: 2 }, { b: 3 })).toEqual([
    { path: 'b', fieldPath: ['b'], before: 2, after: 3 },
    { path: 'a', fieldPath: ['a'], before: 1 },
  ]);
});

test('keys that are not identifiers are in brackets', () => {
  expect(paths({ labels: {} }, { labels: { 'a.b/c': '1' } })).toEqual(['labels[a.b/c]']);
});

test('leaves are the values inside, empty lists and objects too', () => {
  expect(leavesOf({ a: { b: 1 }, c: [], d: [{ name: 'x', n: null }] }).map(({ path }) => path)).toEqual([
    'a.b',
    'c',
    'd[x].name',
    'd[x].n',
  ]);
});
