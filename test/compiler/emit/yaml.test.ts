import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { yamlDocument } from '../../../src/compiler/emit/yaml.ts';

/** What a reader of the given YAML version sees; integers exactly. */
function read(text: string, version: '1.1' | '1.2'): unknown {
  const document = parseDocument(text, { version, intAsBigInt: false, merge: false });
  expect(document.errors.map((error) => error.message)).toEqual([]);
  return document.toJS({ maxAliasCount: 0 });
}

test('writes objects in kubectl style, with keys in one order for any order of the input', () => {
  const text = yamlDocument({
    kind: 'ConfigMap',
    data: { script: '#!/bin/sh\necho "hello"\n', enabled: 'yes', port: '8080' },
    metadata: { namespace: 'default', labels: { b: '2', a: '1' }, name: 'example' },
    apiVersion: 'v1',
    list: [{ value: 1, name: 'x' }, ['nested', []], 'text', {}, { deeper: [{ a: { b: 1 } }] }],
    absent: undefined,
  });
  expect(text).toBe(`apiVersion: v1
kind: ConfigMap
metadata:
  name: example
  namespace: default
  labels:
    a: "1"
    b: "2"
data:
  enabled: "yes"
  port: "8080"
  script: |
    #!/bin/sh
    echo "hello"
list:
- name: x
  value: 1
- - nested
  - []
- text
- {}
- deeper:
  - a:
      b: 1
`);
});

describe('strings that YAML readers would take for something else are quoted', () => {
  test.each([
    'yes',
    'No',
    'ON',
    'off',
    'y',
    'N',
    'true',
    'null',
    '~',
    '',
    ' ',
    '1',
    '1.5',
    '1e3',
    '0o7',
    '0777',
    '1_000',
    '0x1F',
    '0b1',
    '8e5',
    '1.5e3',
    '08719e5',
    '1d_0',
  ])('%j', (text) => {
    expect(yamlDocument({ value: text })).toBe(`value: ${JSON.stringify(text)}\n`);
  });
  test.each([
    '.inf',
    '-.NaN',
    '12:30:45',
    '2001-01-01',
    '=',
    '<<',
    '- a',
    '? a',
    ': a',
    'a: b',
    'a:',
    'a #b',
    '#a',
    '&a',
    '*a',
    '!a',
    '%a',
    '@a',
    '`a',
    "'a",
    '{a',
    '[a',
    '|',
    '>',
  ])('%j', (text) => {
    expect(yamlDocument({ value: text })).toBe(`value: ${JSON.stringify(text)}\n`);
  });
});

test('strings that need no quotes have none', () => {
  const texts = [
    '64Mi',
    '1.5Gi',
    '1h30m',
    '25%',
    '03d66967',
    'quay.io/ocm/agent:v1.2',
    'Managed cluster is available',
    'system:open-cluster-management',
    'a=b,c=d',
    '/managed/hub-kubeconfig',
  ];
  expect(yamlDocument({ texts })).toBe(`texts:\n${texts.map((text) => `- ${text}\n`).join('')}`);
});

test('characters that YAML does not count as printable are escaped', () => {
  expect(yamlDocument({ value: 'a\u0085b\u2028c\u007fd\ufeffe\u0000f' })).toBe(
    'value: "a\\u0085b\\u2028c\\u007fd\\ufeffe\\u0000f"\n',
  );
});

test('texts of several lines keep their ends of line', () => {
  const texts = {
    none: 'a\nb',
    one: 'a\nb\n',
    two: 'a\nb\n\n',
    blank: 'a\n\nb\n',
    leading: ' a\nb\n',
    trailing: 'a \nb\n',
    only: '\n',
  };
  const text = yamlDocument(texts);
  expect(text).toBe(`blank: |
  a

  b
leading: " a\\nb\\n"
none: |-
  a
  b
one: |
  a
  b
only: "\\n"
trailing: "a \\nb\\n"
two: |+
  a
  b

`);
  expect(read(text, '1.2')).toEqual(texts);
});

test('numbers keep their value in both YAML versions, integers beyond 2^53 too', () => {
  const text = yamlDocument({
    big: 9007199254740993n,
    exponent: 1e21,
    fraction: 0.1,
    negative: -5,
    small: 1e-7,
  });
  expect(text).toBe('big: 9007199254740993\nexponent: 1.0e+21\nfraction: 0.1\nnegative: -5\nsmall: 1.0e-7\n');
});

test('keys too long for one line are written as explicit keys', () => {
  const key = 'k'.repeat(1500);
  expect(read(yamlDocument({ [key]: { a: 1 } }), '1.2')).toEqual({ [key]: { a: 1 } });
});

const troublesome = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      'a',
      ' ',
      '\n',
      '\t',
      ':',
      '#',
      '-',
      '"',
      "'",
      '\\',
      '1',
      '.',
      'e',
      '|',
      '\r',
      '\u0085',
      '\u2028',
    ),
  }),
  fc.string({
    unit: fc.constantFrom(
      '0',
      '1',
      '9',
      '.',
      'e',
      'E',
      'x',
      'o',
      'b',
      'd',
      'f',
      'm',
      'i',
      'n',
      '_',
      '%',
      '+',
      '-',
    ),
    maxLength: 6,
  }),
  fc.constantFrom(
    'yes',
    'on',
    '1e3',
    '0x1f',
    '1f',
    '0b',
    '1d5',
    '5m',
    '1.0f',
    '1%',
    '0.5d',
    '1:30',
    '2026-01-01',
    '-',
    '---',
    '...',
    'a\n---\nb',
  ),
);
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    troublesome,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(troublesome, tie('value'), { maxKeys: 4 }),
  ),
})).value;

test('a written value is read again as the same value, by YAML 1.1 and 1.2 readers', () => {
  fc.assert(
    fc.property(fc.dictionary(troublesome, anything, { maxKeys: 5 }), (value) => {
      // A lone surrogate is no character: readers see the replacement character.
      fc.pre(!/\\ud[89a-f]/.test(JSON.stringify(value)));
      const text = yamlDocument(value);
      const expected = JSON.parse(JSON.stringify(value));
      expect(read(text, '1.2')).toEqual(expected);
      expect(read(text, '1.1')).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});
