import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanJson } from '../../../src/compiler/load/json/json-scan.ts';
import { loadText, objectsIn } from './load-text.ts';

const whole = (text: string): { start: number; end: number } => ({ start: 0, end: text.length });

test('every JSON text is recognized', () => {
  const space = fc.constantFrom(undefined, 1, '\t', '   ');
  fc.assert(
    fc.property(fc.jsonValue(), space, (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const { documents, duplicates, error } = scanJson(`\n ${text} `, whole(`\n ${text} `));
      expect([duplicates, error]).toEqual([[], undefined]);
      expect(documents.map(({ start, end }) => [start, end])).toEqual([[2, 2 + text.length]]);
    }),
  );
});

test('texts that JSON.parse refuses are refused, and no others', () => {
  const bits = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"',
    '\\',
    '1',
    '-',
    '.5',
    'e3',
    'null',
    'tru',
    ' ',
    '\n',
    '\u0001',
  );
  fc.assert(
    fc.property(fc.array(bits, { minLength: 1, maxLength: 8 }), (parts) => {
      const text = parts.join('');
      const { documents, error } = scanJson(text, whole(text));
      // several values may follow one another, which JSON.parse does not allow
      fc.pre(error !== undefined || documents.length === 1);
      let parsed = true;
      try {
        JSON.parse(text);
      } catch {
        parsed = false;
      }
      expect(error === undefined).toBe(parsed);
    }),
    { numRuns: 3000 },
  );
});

test('the items of a list are recognized', () => {
  const text = '{"items": [ 1, {"items": [2]} ,[ ] ], "x": {"items": [3]}} {"items": {}} {"items":[]}';
  const { documents } = scanJson(text, whole(text));
  expect(documents.map(({ items }) => items?.map(({ start, end }) => text.slice(start, end)))).toEqual([
    ['1', '{"items": [2]}', '[ ]'],
    undefined,
    [],
  ]);
});

test.each([
  ['{"a": 9007199254740993}', true],
  ['{"a": 1.5e3}', true],
  ['{"a": -0}', true],
  ['{"a": "\\ud800"}', true],
  ['{"a": "2026-01-05T00:00:00Z", "1e5": "9007199254740993", "b": [-1.5, 900719925474099, true]}', false],
])('%s must be read as Go reads it: %s', (text, special) => {
  expect(scanJson(text, whole(text)).documents.map((document) => document.special)).toEqual([special]);
});

test('half characters become the replacement character, as in Go', () => {
  expect(objectsIn('{"kind":"A","a":"x\\ud800y"}')).toEqual([{ kind: 'A', a: 'x\ufffdy' }]);
});

test('a repeated key is reported, by its meaning and in its own object', () => {
  const text = '{"kind": "A",\n "a": {"kind": 1, "b": 2,\n   "\\u0062": 3}}';
  expect(loadText(text).printed).toMatchInlineSnapshot(`
    "warning FW1003: the key "b" is repeated in one object, and the last value is used
     --> app.yaml:3:4
      |
    3 |    "\\u0062": 3}}
      |    ^
      = hint: remove one of the two
      = see: the first one, app.yaml:2:19

    1 warning
    "
  `);
});
