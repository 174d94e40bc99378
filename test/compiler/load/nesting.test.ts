import { describe, expect, test } from 'vitest';
import { load } from '../../../src/compiler/load/load.ts';
import { loadText } from './load-text.ts';

/** Where something is nested too deeply. */
function placesOf(text: string): readonly unknown[] {
  const { diagnostics } = load([{ file: 'app.yaml', text, source: 'app' }]);
  return diagnostics.map(({ location, message, path, hint }) => {
    expect({ message, path, hint }).toEqual({
      message: 'this is nested more than 500 levels deep',
      hint: 'Kubernetes objects are never nested so deeply: look for unclosed brackets, and for values that contain themselves',
      path: undefined,
    });
    return location;
  });
}

describe('too deep nesting is reported at its location', () => {
  const list = (depth: number): string => `a: ${'['.repeat(depth)}1${']'.repeat(depth)}`;
  const pairs = (depth: number): string => `a: ${'[b: '.repeat(depth)}1${']'.repeat(depth)}`;
  const json = (depth: number): string => `{"a":${'['.repeat(depth)}1${']'.repeat(depth)}}`;
  const lines = (depth: number): string =>
    Array.from({ length: depth }, (_, i) => `${' '.repeat(i)}a:`).join('\n');
  const at = (line: number, column: number): object => ({ file: 'app.yaml', line, column });

  test.each([500, 1_000, 2_500, 10_000, 50_000])('in %i brackets', (depth) => {
    expect(placesOf(list(depth))).toEqual([at(1, 503)]);
    expect(placesOf(json(depth))).toEqual([at(1, 505)]);
  });

  test.each([501, 1_000, 2_500])('in %i lines', (depth) => {
    expect(placesOf(lines(depth))).toEqual([at(501, 501)]);
  });

  test.each([300, 1_000, 10_000])('in %i lists of a mapping without braces', (depth) => {
    expect(placesOf(pairs(depth))).toEqual([at(1, 1004)]);
  });

  test('in the second document of a file', () => {
    expect(placesOf(`kind: A\n---\n${list(20_000)}`)).toEqual([at(3, 503)]);
  });

  test('but not up to the last level that may be', () => {
    for (const text of [list(499), json(499), pairs(249), lines(500)])
      expect(loadText(text).printed).not.toContain('nested');
  });
});
