import { afterAll, describe, expect, test } from 'vitest';
import { Declarations, entries, type Entry } from './declarations.ts';

const declarations = new Declarations();
afterAll(() => {
  declarations.close();
});

describe.each(Object.keys(entries) as Entry[])('the declarations of %s', (entry) => {
  test('export every type that an exported declaration mentions', () => {
    expect(declarations.unexported(entry)).toEqual([]);
  });

  test('have names without an API version', () => {
    const names = declarations.exportsOf(entry).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => /V\d+(?:alpha|beta)?\d*(?![a-z\d])/.test(name))).toEqual([]);
  });

  test('have a doc comment for every export', () => {
    const undocumented = declarations.exportsOf(entry).filter(({ comment }) => comment === '');
    expect(undocumented.map(({ name }) => name)).toEqual([]);
  });
});

test('the declarations have no errors, although they lack internal members', () => {
  expect(declarations.errors()).toEqual([]);
});
