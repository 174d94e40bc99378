import { expect, test } from 'vitest';
import { oncePer } from '../../../src/base/collections/once-per.ts';
import { isSameMap, Remembered, RememberedSame } from '../../../src/base/collections/remembered.ts';

test('a result is used again for the same inputs of the same owner', () => {
  const remembered = new Remembered<object>();
  const [owner, input] = [{}, {}];
  const first = remembered.of(owner, [input, 1], () => ({}));
  const repeated = remembered.of(owner, [input, 1], () => ({}));
  const others = [
    remembered.of(owner, [input, 2], () => ({})),
    remembered.of(owner, [{}, 1], () => ({})),
    remembered.of(owner, [input], () => ({})),
    remembered.of({}, [input, 1], () => ({})),
    remembered.of(undefined, [input, 1], () => ({})),
  ];
  expect(repeated).toBe(first);
  expect(others.map((other) => other === first)).toEqual([false, false, false, false, false]);
});

test('a result that no longer holds is computed again', () => {
  const remembered = new Remembered<{ readonly read: number }>();
  const owner = {};
  const at = (state: number): { readonly read: number } =>
    remembered.of(
      owner,
      [],
      () => ({ read: state }),
      ({ read }) => read === state,
    );
  const first = at(1);
  expect([at(1) === first, at(2) === first, at(1) === first]).toEqual([true, false, true]);
});

test('results of the states before the last ones are forgotten', () => {
  const remembered = new Remembered<object>();
  const owner = {};
  const first = remembered.of(owner, [0], () => ({}));
  for (let state = 1; state < 10; state += 1) remembered.of(owner, [state], () => ({}));
  expect(remembered.of(owner, [0], () => ({}))).not.toBe(first);
});

test('an equal map is the earlier one: the same entries in the same order', () => {
  const same = new RememberedSame<ReadonlyMap<string, object>>(isSameMap);
  const owner = {};
  const [a, b] = [{}, {}];
  const first = same.of(
    owner,
    new Map([
      ['a', a],
      ['b', b],
    ]),
  );
  const equal = same.of(owner, new Map(first));
  const others = [
    same.of(owner, new Map([...first].toReversed())),
    same.of(
      owner,
      new Map([
        ['a', a],
        ['b', {}],
      ]),
    ),
    same.of(owner, new Map([['a', a]])),
  ];
  expect(equal).toBe(first);
  expect(others.map((other) => other === first)).toEqual([false, false, false]);
});

test('the items of an object are computed once', () => {
  let times = 0;
  const itemsOf = oncePer(function* ({ name }: { readonly name: string }) {
    times += 1;
    yield name;
  });
  const object = { name: 'a' };
  expect([itemsOf(object), itemsOf(object), itemsOf({ name: 'b' })]).toEqual([['a'], ['a'], ['b']]);
  expect(times).toBe(2);
});
