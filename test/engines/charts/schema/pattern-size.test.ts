import { expect, test } from 'vitest';
import { patternSize } from '../../../../src/engines/charts/pattern-size.ts';

test.each([
  ['', 0],
  ['abc', 3],
  ['[a-z0-9]', 1],
  ['[]a]', 1],
  ['[^]]', 1],
  [String.raw`\.\p{Greek}`, 2],
  ['a{3}', 3],
  ['a{3,5}', 5],
  ['a{3,}', 3],
  ['(ab){10}', 20],
  ['((a{2}b){3}c){4}', 40],
  ['a{', 2],
  ['a)b', 3],
  ['(a', 1],
  ['[a', 1],
  // RE2 refuses it.
  ['((a{1000}){1000}){1000}', 23_000],
])('the size of %j is %i', (pattern, size) => {
  expect(patternSize(pattern)).toBe(size);
});

test('the size of a hostile text is found in linear time', () => {
  const before = process.cpuUsage();
  for (const text of ['[', '(', String.raw`\p{`, 'a{1', '[\\']) patternSize(text.repeat(200_000));
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(5);
});
