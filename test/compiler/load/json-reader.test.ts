import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FieldPath } from '../../../src/compiler/model/field-path.ts';
import { JsonMemory } from '../../../src/compiler/load/json/json-memory.ts';
import { offsetInJson } from '../../../src/compiler/load/json/json-offset.ts';
import { readPlainJson } from '../../../src/compiler/load/json/json-reader.ts';
import { scanJson } from '../../../src/compiler/load/json/json-scan.ts';
import { offsetInYaml } from '../../../src/compiler/load/yaml/yaml-offset.ts';
import { parseYamlTree } from '../../../src/compiler/load/yaml/yaml-tree.ts';

const whole = (text: string): { start: number; end: number } => ({ start: 0, end: text.length });

/** Returns what the scanner and JSON.parse read, values also as text: keys have an order. Undefined if the text is not plain. */
function expected(text: string, stretch = whole(text)): unknown {
  const { documents, duplicates, error } = scanJson(text, stretch);
  if (error !== undefined || duplicates.length > 0 || documents.some(({ special }) => special))
    return undefined;
  return documents.map(({ start, end, items }) => {
    const value: unknown = JSON.parse(text.slice(start, end));
    return { start, end, items, value, json: JSON.stringify(value) };
  });
}

function read(json: string, stretch = whole(json), ...memory: [JsonMemory?, Map<string, unknown>?]): unknown {
  const documents = readPlainJson(json, stretch, ...memory);
  return documents?.map((document) => ({ ...document, json: JSON.stringify(document.value) }));
}

/** Reads a list, and returns its items. */
function itemsOf<T>(items: readonly T[], ...memory: [JsonMemory?, Map<string, unknown>?]): readonly T[] {
  const json = JSON.stringify({ items });
  const [document] = readPlainJson(json, whole(json), ...memory) ?? [];
  if (document === undefined) throw new Error('the list was not read');
  return (document.value as { items: T[] }).items;
}

const key = fc.constantFrom('a', 'b', 'c', 'items', 'kind', '__proto__', 'a"b', 'é', '1', 'name');
const text = fc.oneof(
  fc.constantFrom('', 'a', 'ab', 'a\\b', '\n', 'é😀', '{"a":1}'),
  fc.string({ maxLength: 4 }),
);
const { value: anyValue } = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(text, fc.integer(), fc.constantFrom(0, 1.5, -3, true, false, null)),
    tie('object'),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
  object: fc
    .array(fc.tuple(key, tie('value')), { maxLength: 4 })
    .map((entries) => Object.fromEntries(new Map(entries))),
}));
const indentation = fc.constantFrom(undefined, 1, '\t', '   ');

describe('plain JSON is read as JSON.parse reads it', () => {
  test('in lists of which later ones have parts of earlier ones', () => {
    const pool = fc.array(anyValue, { minLength: 1, maxLength: 6 });
    const picks = fc.array(fc.array(fc.nat(5), { maxLength: 30 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(pool, picks, indentation, (values, lists, indent) => {
        const memory = new JsonMemory();
        const known = new Map<string, unknown>();
        for (const list of lists) {
          const items = list.map((index) => values[index % values.length]);
          const json = `\n${JSON.stringify({ kind: 'List', items, more: values }, null, indent)} `;
          const result = read(json, whole(json), memory, known);
          expect(result).toBeDefined();
          expect(result).toStrictEqual(expected(json));
        }
      }),
      { numRuns: 300, examples: [[[-3, -300], [[0], [1]], undefined]] },
    );
  });

  test('and only plain JSON, also behind texts that it begins like', () => {
    // The parts have no spaces.
    const some =
      '{ } [ ] , : "a" "b" " \\ 1 - .5 e3 null tru \u0001 {"a":1} {"a":1,"a":2} {"items":[ 1234567890123456 -0';
    const more = '"\\ud800" "\\u0041" "\\x" 01 1. [[1],[1],[1]] {"__proto__":1}';
    const bits = fc.constantFrom(' ', '\n', ...some.split(' '), ...more.split(' '));
    const parts = fc.array(bits, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(parts, { minLength: 1, maxLength: 3 }), (texts) => {
        const memory = new JsonMemory();
        for (const json of texts.map((each) => each.join(''))) {
          const result = read(json, whole(json), memory, new Map());
          // The reader may leave any text to the scanner.
          expect(result).toStrictEqual(result && expected(json));
        }
      }),
      { numRuns: 5000 },
    );
  });

  test('not beyond the end of its range', () => {
    const memory = new JsonMemory();
    const json = '{"a":[{"b":"cccc"},{"b":"cccc"}]}';
    expect(read(json, whole(json), memory)).toBeDefined();
    for (let end = 0; end < json.length; end++)
      expect(read(json, { start: 0, end }, memory)).toStrictEqual(expected(json, { start: 0, end }));
  });

  test('but for nesting that is too deep', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(read(nested(500))).toBeDefined();
    expect(read(nested(501))).toBeUndefined();
  });
});

test('equal parts of objects are one object', () => {
  const item = (name: string) => ({ name, spec: { a: [1, 2] }, labels: { env: 'dev' } });
  const items = itemsOf(Array.from('abcdefghijk', item));
  expect(items[10]?.spec).toBe(items[9]?.spec);
  expect(items[10]?.labels).toBe(items[9]?.labels);
  expect(items[10]).toEqual(item('k'));
});

test('items of an earlier list are the same objects, wherever they are', () => {
  const shared = [new JsonMemory(), new Map<string, unknown>()] as const;
  const named = (...names: readonly string[]) => names.map((name) => ({ name }));
  const [a, b, c, d] = itemsOf(named('a', 'b', 'c', 'd'), ...shared);
  const later = itemsOf(named('new', 'a', 'c', 'd', 'b'), ...shared);
  expect(later).toEqual(named('new', 'a', 'c', 'd', 'b'));
  expect(later[1]).toBe(a);
  expect(later[2]).toBe(c);
  expect(later[3]).toBe(d);
  expect(later[4]).toBe(b);
});

test('positions in JSON are those of the same text in YAML', () => {
  const paths = (value: unknown, path: FieldPath): FieldPath[] => [
    path,
    [...path, 'missing'],
    [...path, 99],
    ...(Array.isArray(value) ? value.flatMap((item, index) => paths(item, [...path, index])) : []),
    ...(typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([name, item]) => paths(item, [...path, name]))
      : []),
  ];
  fc.assert(
    fc.property(anyValue, fc.constantFrom(undefined, 1, '   '), (value, indent) => {
      const json = JSON.stringify({ value }, null, indent);
      const tree = parseYamlTree(json);
      for (const path of paths({ value }, []))
        expect([path, offsetInJson(`  ${json}`, 2, path) - 2]).toEqual([path, offsetInYaml(tree, path)]);
    }),
    { numRuns: 300 },
  );
});

test('the last of several equal keys counts', () => {
  expect(offsetInJson('{"a": 1, "\\u0061": [ 2 ]}', 0, ['a', 0])).toBe(21);
});
