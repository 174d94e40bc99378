import { expect, test } from 'vitest';
import { EqualValues, sharedMetadata } from '../../../src/controller/cache/equal-values.ts';

test('equal values are one, whatever they are', () => {
  const equal = new EqualValues();
  const first = equal.one({ group: '', resource: 'configmaps' });
  expect(equal.one({ group: '', resource: 'configmaps' })).toBe(first);
  expect(equal.one(undefined)).toBeUndefined();
  expect(equal.one('{"a":1}')).toBe('{"a":1}');
  expect(equal.one({ a: 1 })).toEqual({ a: 1 });
  expect(equal.list([{ a: 1 }])).toBe(equal.list([{ a: 1 }]));
});

test('a value that was seen all the time stays, however many others are seen once', () => {
  const equal = new EqualValues();
  const first = equal.one(['often']);
  const seen = Array.from({ length: 20 }, (_, round) => {
    for (let index = 0; index < 1000; index += 1) equal.one([`once ${round} ${index}`]);
    return equal.one(['often']);
  });
  expect(seen.every((each) => each === first)).toBe(true);
});

test('values that were seen once are forgotten, and long ones are never kept', () => {
  const equal = new EqualValues();
  const [once, long] = [equal.one(['once']), equal.one(['x'.repeat(2000)])];
  for (let index = 0; index < 20_000; index += 1) equal.one([`other ${index}`]);
  expect(equal.one(['once'])).not.toBe(once);
  expect(equal.one(['x'.repeat(2000)])).not.toBe(long);
});

test('metadata has the fields that identify an object, and the given ones that are there', () => {
  const metadata = { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: 't', generation: 3 };
  const shared = sharedMetadata(metadata, { labels: { a: 'b' }, finalizers: undefined }, new EqualValues());
  expect(Object.keys(shared)).toEqual(['name', 'uid', 'resourceVersion', 'creationTimestamp', 'labels']);
});
