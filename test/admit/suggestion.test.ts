import { expect, test } from 'vitest';
import { closest } from '../../compiler/admit/suggestion.ts';

const fields = ['name', 'namespace', 'placements', 'rolloutStrategy'];

test.each([
  ['Name', 'name'],
  ['nmae', 'name'],
  ['placement', 'placements'],
  ['rolloutstrategy', 'rolloutStrategy'],
  ['rollOutStratgey', 'rolloutStrategy'],
  ['names', 'name'],
])('%s was meant to be %s', (word, meant) => {
  expect(closest(word, fields)).toBe(meant);
});

test.each(['a', '', 'spec', 'label', 'placementsList'])('%j was meant to be nothing of that', (word) => {
  expect(closest(word, fields)).toBeUndefined();
});

test('the first of equally near candidates is meant', () => {
  expect(closest('bar', ['baz', 'bat'])).toBe('baz');
});
