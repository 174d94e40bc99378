import { expect, test } from 'vitest';
import { compareText } from '../../../src/base/collections/compare-text.ts';

test('texts are ordered by code units, regardless of the locale', () => {
  expect(['ä', 'b', 'a', 'B', '10', '9'].sort(compareText)).toEqual(['10', '9', 'B', 'a', 'b', 'ä']);
  expect(compareText('a', 'a')).toBe(0);
});
