import { expect, test } from 'vitest';
import { isNestedBeyond } from '../../src/client/nesting.ts';

test.each([
  ['[[[]]]', 3, false],
  ['[[[]]]', 2, true],
  ['{"a":{"b":{}}}', 3, false],
  ['{"a":{"b":{}}}', 2, true],
  ['[[],[],[],[]]', 2, false],
  ['["[[[[", "\\"[[[[", "\\\\", {"[[[": 1}]', 2, false],
  ['["\\\\", [[]]]', 2, true],
  ['["not closed [[[[', 1, false],
])('%s is nested beyond %i: %s', (text, bound, expected) => {
  expect(isNestedBeyond(text, bound)).toBe(expected);
});

test('the nesting of a large text is counted without recursion', () => {
  expect(isNestedBeyond('['.repeat(1_000_000), 999_999)).toBe(true);
});
