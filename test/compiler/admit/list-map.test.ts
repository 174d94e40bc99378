import { expect, test } from 'vitest';
import { duplicateEntries } from '../../../src/compiler/admit/schema/list-map.ts';
import type { StructuralSchema } from '../../../schemas/index.ts';

const set: StructuralSchema = { type: 'array', 'x-kubernetes-list-type': 'set', items: {} };
const map: StructuralSchema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: { type: 'object' },
};

function messages(value: unknown, schema: StructuralSchema): string[] {
  return duplicateEntries(value, schema, ['list']).map(
    ({ message, related }) => `${message}, ${related?.at.join('.')}`,
  );
}

test('a set contains no value twice, regardless of the order of its fields', () => {
  expect(messages(['a', 1, '1', 'a', { x: 1, y: 2n }, { y: 2n, x: 1 }], set)).toEqual([
    'list[3] repeats "a", list.0',
    'list[5] repeats {"x":1,"y":2}'.replace('{"x":1,"y":2}', '{"y":2,"x":1}') + ', list.4',
  ]);
});

test('entries without their key are equal', () => {
  expect(messages([{ a: 1 }, { type: 'x' }, { b: 2 }, null], map)).toEqual([
    'list[2] repeats {}, list.0',
    'list[3] repeats {}, list.0',
  ]);
});

test('a list with items that are not objects is reported by its types only', () => {
  expect(messages([{ type: 'x' }, { type: 'x' }, 'x'], map)).toEqual([]);
  expect(messages('x', map)).toEqual([]);
});

test('lists below other lists and maps are looked at', () => {
  const nested: StructuralSchema = {
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'object', properties: { inner: set } } },
  };
  const faults = duplicateEntries({ k: [{ inner: [1, 1] }] }, nested);
  expect(faults.map(({ field }) => field)).toEqual([['k', 0, 'inner', 1]]);
});
