import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRequirements, requirementLine } from '../../../src/ocm/add-ons/requirements.ts';

const faults = (text: string): string[] =>
  parseRequirements('me', text).faults.map(({ line, message }) => `${line}: ${message}`);

test('a line is an add-on, a state and values of variables', () => {
  const { requirements } = parseRequirements(
    'me',
    'cert-manager\n\n  trust installed\nstorage CLASS=fast NOTE="a b=\\"c\\"" EMPTY=',
  );
  expect(requirements).toEqual([
    { name: 'cert-manager', state: 'available', variables: new Map() },
    { name: 'trust', state: 'installed', variables: new Map() },
    {
      name: 'storage',
      state: 'available',
      variables: new Map([
        ['CLASS', 'fast'],
        ['NOTE', 'a b="c"'],
        ['EMPTY', ''],
      ]),
    },
  ]);
});

test('every other line is a fault with its number', () => {
  expect(faults(' ')).toEqual(['1: the annotation names no add-on']);
  expect(faults('Cert')).toEqual(['1: "Cert" is not a name of an add-on']);
  expect(faults('me')).toEqual(['1: add-on "me" requires itself']);
  expect(faults('a\na')).toEqual(['2: add-on "a" is required twice']);
  expect(faults('a ready')).toEqual(['1: "ready" is neither a state nor a condition']);
  expect(faults('a installed available')).toEqual(['1: the line has two states']);
  expect(faults('a X-Y=1')).toEqual(['1: "X-Y" is not a name of a customized variable']);
  expect(faults('a X=1 X=2')).toEqual(['1: the line has two values for "X"']);
  expect(faults('a version>=1 version<2')).toEqual(['1: the line has two conditions for "version"']);
  expect(faults('a widgets:spec.a=1 widgets:spec.a=2')).toEqual([
    '1: the line has two values for "widgets:spec.a"',
  ]);
  expect(faults('a widgets:=1')).toEqual(['1: "widgets:" is not a name of a customized variable']);
  expect(faults('a X="\\q"')).toEqual(['1: the value of "X" has an invalid escape']);
});

test('a written line is read as it was', () => {
  const requirement = fc.record({
    name: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,8}[a-z0-9]$/),
    state: fc.constantFrom('available' as const, 'installed' as const),
    variables: fc
      .dictionary(fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,5}$/), fc.string())
      .map((values) => new Map(Object.entries(values))),
    version: fc.constantFrom('>=1.14', '=1.2.3', '>=1.2,<2||~3', '^1'),
    chart: fc.constantFrom('!=1.0.0', '<2-0'),
    fields: fc.constant([{ resource: 'widgets', path: 'spec.a.0', value: 'a "b"' }]),
  });
  fc.assert(
    fc.property(requirement, (written) => {
      expect(parseRequirements('-', requirementLine(written))).toEqual({
        requirements: [written],
        faults: [],
      });
    }),
  );
});
