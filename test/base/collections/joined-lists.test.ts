import { expect, test } from 'vitest';
import {
  concatenated,
  inPieces,
  joined,
  oncePerPart,
  partsOf,
} from '../../../src/base/collections/joined-lists.ts';

test('a list that is put together has the items of its parts, and remembers them', () => {
  const [fleet, app] = [
    [1, 2, 3],
    [4, 5],
  ];
  const all = joined([fleet, [], app]);
  expect(all).toEqual([1, 2, 3, 4, 5]);
  expect(partsOf(all)).toEqual([fleet, app]);
  expect(partsOf(all)[0]).toBe(fleet);
  expect(partsOf(joined([all, [6]]))[1]).toBe(app);
});

test('a list alone is itself', () => {
  const list = ['a'];
  expect(joined([[], list])).toBe(list);
  expect(partsOf(list)).toEqual([list]);
  expect(joined([[], []])).toEqual([]);
});

test('short neighbors become one part', () => {
  const long = [1, 2, 3];
  expect(partsOf(joined([[0], [1], long, [4]], 3))).toEqual([[0, 1], long, [4]]);
});

test('what depends on a part is computed once, as long as the part is in the list', () => {
  const computed: number[][] = [];
  const doubled = oncePerPart((part: readonly number[]) => {
    computed.push([...part]);
    return part.map((item) => item * 2);
  });
  const [fleet, app] = [
    [1, 2],
    [3, 4],
  ];
  expect(doubled(joined([fleet, app]))).toEqual([2, 4, 6, 8]);
  expect(doubled(joined([fleet, [5]]))).toEqual([2, 4, 10]);
  expect(computed).toEqual([[1, 2], [3, 4], [5]]);
});

test('the result of a list has the results of its parts as parts', () => {
  const odd = oncePerPart((part: readonly number[]) => part.filter((item) => item % 2 === 1));
  const [first, second] = [
    [1, 2, 3],
    [4, 5],
  ];
  expect(partsOf(odd(joined([first, second])))).toEqual([[1, 3], [5]]);
  expect(partsOf(odd(joined([first, second])))[0]).toBe(partsOf(odd(joined([first, [7, 8]])))[0]);
});

test('any number of lists is put together', () => {
  const numbers = Array.from({ length: 2_500 }, (_, index) => index);
  expect(concatenated(numbers.map((number) => [number]))).toEqual(numbers);
  expect(concatenated([])).toEqual([]);
});

test('a long list in which one item changes has most of its pieces in common with the earlier one', () => {
  const items = Array.from({ length: 1_000 }, (_, index) => ({ index }));
  const before = inPieces(items);
  const edited = items.with(500, { index: -1 });
  const after = inPieces(edited);
  expect(after).toEqual(edited);
  const [pieces, piecesAfter] = [partsOf(before), partsOf(after)];
  expect(piecesAfter.map((piece, index) => piece === pieces[index])).toEqual(
    pieces.map((piece) => !piece.includes(items[500] ?? { index: 0 })),
  );
  expect(piecesAfter.flat()).toEqual(edited);
});

test('a short list is one piece', () => {
  const list = [{ name: 'a' }];
  expect(inPieces(list)).toBe(list);
});
