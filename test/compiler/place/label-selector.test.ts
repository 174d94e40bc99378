import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileLabelSelector, matchesLabels } from '../../../src/compiler/place/label-selector.ts';
import type { LabelSelector } from '../../../schemas/types.gen.ts';

function matches(selector: LabelSelector | undefined, labels: Record<string, string>): boolean {
  const compiled = compileLabelSelector(selector);
  if ('error' in compiled) throw new Error(compiled.error);
  return matchesLabels(compiled, labels);
}

function errorOf(selector: LabelSelector): string | undefined {
  const compiled = compileLabelSelector(selector);
  return 'error' in compiled ? compiled.error : undefined;
}

function expression(key: string, operator: string, values?: string[]): LabelSelector {
  return { matchExpressions: [{ key, operator, ...(values === undefined ? {} : { values }) }] };
}

describe('matching', () => {
  test('an absent and an empty selector match everything', () => {
    expect(matches(undefined, {})).toBe(true);
    expect(matches({}, { env: 'prod' })).toBe(true);
    expect(matches({ matchLabels: {}, matchExpressions: [] }, {})).toBe(true);
  });

  test.each([
    ['In', ['prod', 'stage'], { env: 'prod' }, true],
    ['In', ['prod'], { env: 'dev' }, false],
    ['In', ['prod'], {}, false],
    ['In', [''], { env: '' }, true],
    ['NotIn', ['prod'], { env: 'prod' }, false],
    ['NotIn', ['prod'], { env: 'dev' }, true],
    ['NotIn', ['prod'], {}, true],
    ['Exists', undefined, { env: '' }, true],
    ['Exists', undefined, {}, false],
    ['DoesNotExist', undefined, {}, true],
    ['DoesNotExist', undefined, { env: 'dev' }, false],
  ])('env %s %j on %j: %s', (operator, values, labels: Record<string, string>, expected) => {
    expect(matches(expression('env', operator, values), labels)).toBe(expected);
  });

  test('every requirement must match', () => {
    const selector: LabelSelector = {
      matchLabels: { env: 'prod', tier: 'gold' },
      matchExpressions: [{ key: 'region', operator: 'NotIn', values: ['eu'] }],
    };
    expect(matches(selector, { env: 'prod', tier: 'gold', region: 'us' })).toBe(true);
    expect(matches(selector, { env: 'prod', tier: 'gold', region: 'eu' })).toBe(false);
    expect(matches(selector, { env: 'prod' })).toBe(false);
  });

  test('a key that every JavaScript object inherits is absent until a cluster has it', () => {
    expect(matches(expression('constructor', 'Exists'), {})).toBe(false);
    expect(matches(expression('constructor', 'Exists'), { constructor: 'x' })).toBe(true);
    expect(matches(expression('toString', 'NotIn', ['x']), {})).toBe(true);
  });

  const key = fc.constantFrom('a', 'b', 'c');
  const value = fc.constantFrom('', 'x', 'y');
  const requirement = fc.oneof(
    fc.record({
      key,
      operator: fc.constantFrom('In', 'NotIn'),
      values: fc.array(value, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ key, operator: fc.constantFrom('Exists', 'DoesNotExist') }),
  );

  test('agrees with the definition of the operators as sets', () => {
    fc.assert(
      fc.property(
        fc.array(requirement),
        fc.dictionary(key, value),
        fc.dictionary(key, value),
        (matchExpressions, matchLabels, labels) => {
          const meets = matchExpressions.every((term) => {
            const values = new Set('values' in term ? term.values : []);
            const present = Object.hasOwn(labels, term.key);
            const included = present && values.has(labels[term.key] ?? '');
            return { In: included, NotIn: !included, Exists: present, DoesNotExist: !present }[term.operator];
          });
          const same = Object.entries(matchLabels).every(([name, wanted]) => labels[name] === wanted);
          expect(matches({ matchLabels, matchExpressions }, labels)).toBe(meets && same);
        },
      ),
    );
  });
});

const nameFormat =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const valueFormat =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const prefixFormat =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const tooLong = 'x'.repeat(64);

describe("faults, in apimachinery's words", () => {
  test.each([
    ['unknown operator', expression('a', 'Gt', ['1']), '"Gt" is not a valid label selector operator'],
    ['absent operator', expression('a', ''), '"" is not a valid label selector operator'],
    [
      'In without values',
      expression('a', 'In'),
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    ],
    [
      'NotIn with an empty list',
      expression('a', 'NotIn', []),
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    ],
    [
      'Exists with values',
      expression('a', 'Exists', ['x', 'y']),
      'values: Invalid value: ["x","y"]: values set must be empty for exists and does not exist',
    ],
    ['a key with a space', expression('a b', 'Exists'), `key: Invalid value: "a b": name part ${nameFormat}`],
    [
      'an empty key',
      expression('', 'Exists'),
      `key: Invalid value: "": name part must be non-empty; name part ${nameFormat}`,
    ],
    [
      'a long name',
      expression(tooLong, 'Exists'),
      `key: Invalid value: "${tooLong}": name part must be no more than 63 bytes`,
    ],
    [
      'an upper-case prefix',
      expression('A/b', 'Exists'),
      `key: Invalid value: "A/b": prefix part ${prefixFormat}`,
    ],
    [
      'an empty prefix',
      expression('/b', 'Exists'),
      'key: Invalid value: "/b": prefix part must be non-empty',
    ],
    [
      'a long prefix',
      expression(`${'x'.repeat(254)}/b`, 'Exists'),
      `key: Invalid value: "${'x'.repeat(254)}/b": prefix part must be no more than 253 bytes`,
    ],
    [
      'two slashes',
      expression('a/b/c', 'Exists'),
      `key: Invalid value: "a/b/c": a qualified name ${nameFormat} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ],
    [
      'a long value',
      { matchLabels: { a: tooLong } },
      `values[0][a]: Invalid value: "${tooLong}": must be no more than 63 bytes`,
    ],
    [
      'a value with a line break',
      expression('a', 'In', ['ok', 'b\nd']),
      `values[1][a]: Invalid value: "b\\nd": ${valueFormat}`,
    ],
    [
      'a long value of two-byte characters',
      expression('a', 'In', ['ä'.repeat(32)]),
      `values[0][a]: Invalid value: "${'ä'.repeat(32)}": must be no more than 63 bytes; ${valueFormat}`,
    ],
  ])('%s', (_, selector: LabelSelector, message) => {
    expect(errorOf(selector)).toBe(message);
  });

  test('several faults of one requirement are in brackets, equal ones once', () => {
    expect(errorOf(expression('a b', 'Exists', ['c d', 'e']))).toBe(
      `[key: Invalid value: "a b": name part ${nameFormat}, values: Invalid value: ["c d","e"]: values set must be empty for exists and does not exist, values[0][a b]: Invalid value: "c d": ${valueFormat}]`,
    );
  });

  test('the first faulty requirement counts, labels before expressions', () => {
    expect(errorOf({ matchLabels: { a: 'x y' }, matchExpressions: [{ key: 'b', operator: 'Gt' }] })).toBe(
      `values[0][a]: Invalid value: "x y": ${valueFormat}`,
    );
    expect(
      errorOf({
        matchExpressions: [
          { key: 'b', operator: 'Gt' },
          { key: 'c d', operator: 'Exists' },
        ],
      }),
    ).toBe('"Gt" is not a valid label selector operator');
  });

  test('a fault names the place of its requirement', () => {
    expect(compileLabelSelector(expression('a', 'In'))).toMatchObject({ path: ['matchExpressions', 0] });
    expect(compileLabelSelector({ matchLabels: { z: 'ok', a: '-' } })).toMatchObject({
      path: ['matchLabels', 'a'],
    });
  });
});
