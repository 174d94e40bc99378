import { describe, expect, test } from 'vitest';
import { closest, didYouMean } from '../../src/compiler/model/suggestion.ts';

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

describe('a hint for a name that does not exist', () => {
  const hint = (word: string, names: readonly string[]): string | undefined =>
    didYouMean(word, names, 'the clusters are');

  test('names all names that are equally similar', () => {
    expect(hint('prod-9', ['dev-1', 'prod-1', 'prod-2', 'production'])).toBe(
      'did you mean "prod-1" or "prod-2"?',
    );
    expect(hint('prod3', ['prod-1', 'prod-3'])).toBe('did you mean "prod-3"?');
  });
  test('lists the existing names if none is similar', () => {
    expect(hint('x', ['a', 'b'])).toBe('the clusters are "a" and "b"');
    expect(hint('x', ['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe(
      'the clusters are "a", "b", "c", "d", "e" and 2 more',
    );
  });
  test('is absent if there is nothing to choose from', () => {
    expect(hint('x', [])).toBeUndefined();
  });
});
