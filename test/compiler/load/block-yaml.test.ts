import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { offsetInBlockYaml, readBlockYaml } from '../../../src/compiler/load/yaml/block-yaml.ts';
import { DiagnosticCollector } from '../../../src/compiler/load/diagnostic-collector.ts';
import { SourceFile } from '../../../src/compiler/load/source-file.ts';
import { splitDocuments } from '../../../src/compiler/load/yaml/split-documents.ts';
import { readYamlTree } from '../../../src/compiler/load/yaml/yaml-document.ts';
import { offsetInYaml } from '../../../src/compiler/load/yaml/yaml-offset.ts';
import { parseYamlTree } from '../../../src/compiler/load/yaml/yaml-tree.ts';
import type { FieldPath } from '../../../src/compiler/model/field-path.ts';

const root = path.resolve(import.meta.dirname, '../../..');

interface Document {
  readonly file: string;
  readonly text: string;
}

/** The YAML documents of the repository. */
const documents: readonly Document[] = ['apps', 'dist', 'docs', 'packaging', 'test/conformance'].flatMap(
  (folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.yaml'))
      .flatMap((name) => {
        const file = `${folder}/${name}`;
        const text = readFileSync(path.join(root, file), 'utf8');
        const findings = new DiagnosticCollector(new SourceFile(file, text));
        return splitDocuments(text, findings).map(({ start, end }) => ({
          file,
          text: text.slice(start, end),
        }));
      }),
);

/** What the YAML library makes of a text, and what is reported about it. */
function byLibrary(text: string) {
  const findings = new DiagnosticCollector(new SourceFile('app.yaml', text));
  const document = readYamlTree(parseYamlTree(text), text, { start: 0, end: text.length }, findings);
  const { value, start, items } = document ?? {};
  return { value, start, items, findings: findings.diagnostics };
}

/** Compares a text that is read without the library with what the library reads. Returns whether it is read without. */
function agrees(text: string): boolean {
  const document = readBlockYaml(text);
  if (document === undefined) return false;
  // As texts, because the order of keys counts.
  expect({ text, ...inOrder(document) }).toEqual({ text, ...inOrder(byLibrary(text)) });
  return true;
}

function inOrder({
  value,
  ...rest
}: {
  readonly value?: unknown;
  readonly findings?: readonly unknown[];
}): object {
  return { findings: [], ...rest, value: JSON.stringify(value) };
}

const word = fc.constantFrom(
  'a',
  'name',
  'items',
  'yes',
  'n',
  'On',
  'null',
  '~',
  'true',
  'False',
  '0',
  '-1',
  '007',
  '1e3',
  '1_000',
  '0x1f',
  '.5',
  '.inf',
  '2026-11-01T08:00:00Z',
  '10.0.0.1',
  '1.2',
  '12:30:45',
  'a: b',
  'a:b',
  'a #b',
  'a#b',
  '#a',
  '- a',
  '-a',
  '? a',
  '<<',
  '=',
  '&a',
  '*a',
  '!a',
  '|',
  '>',
  '%a',
  '@a',
  '`a',
  '[a',
  '{a}',
  'a,b',
  "it's",
  '"a"',
  'a\\b',
  'a\nb',
  'a\n\nb\n',
  '\na',
  ' a',
  'a ',
  'kubernetes.io/os',
  '{{VALUE}}',
  'é',
  '\u2028',
  '\u{1f600}',
  '---',
  '...',
  '__proto__',
  'constructor',
  '',
);
/** Keys and values as objects of Kubernetes have them: with odd ones everywhere, nothing would be read without the library. */
const usual = fc.constantFrom(
  'a',
  'b',
  'name',
  'items',
  'app.kubernetes.io/name',
  'spec',
  'x-y',
  'A_1',
  'agent agents/all',
);
const key = fc.oneof({ weight: 20, arbitrary: usual }, word);
const sentence = fc.array(word, { minLength: 1, maxLength: 30 }).map((words) => words.join(' '));
const scalar = fc.oneof(
  { weight: 12, arbitrary: usual },
  { weight: 3, arbitrary: word },
  { weight: 2, arbitrary: sentence },
  fc.string({ maxLength: 12 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5 }),
  ),
}));
const styles = fc.record({
  indentSeq: fc.boolean(),
  indent: fc.constantFrom(2, 2, 3, 4),
  lineWidth: fc.constantFrom(0, 20, 80),
  collectionStyle: fc.constantFrom('any' as const, 'any' as const, 'flow' as const),
  defaultStringType: fc.constantFrom(
    'PLAIN' as const,
    'PLAIN' as const,
    'QUOTE_DOUBLE' as const,
    'QUOTE_SINGLE' as const,
  ),
  blockQuote: fc.constantFrom(true, 'literal' as const),
  flowCollectionPadding: fc.boolean(),
});
const written = fc
  .tuple(fc.dictionary(key, value, { minKeys: 1, maxKeys: 5 }), styles)
  .map(([document, style]) => stringify(document, style));
const edits = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.integer({ min: 0, max: 3 }),
    inserted: fc.constantFrom(
      '',
      '',
      ' ',
      '  ',
      '\n',
      '\n\n',
      '\n  ',
      '# c',
      ' # c',
      '\n# c\n',
      '\n    # c\n',
      ':',
      ': ',
      '- ',
      '-',
      '"',
      "'",
      '\\',
      '[',
      ']',
      '{',
      '}',
      ', ',
      '|',
      '|-\n',
      '>',
      '&a ',
      '*a',
      '!t ',
      '? ',
      'a',
      'a: 1\n',
      '\t',
      '\r\n',
      '%',
      '@',
      '~',
      '1',
    ),
  }),
  { minLength: 1, maxLength: 3 },
);

function edit(
  text: string,
  { at, removed, inserted }: { at: number; removed: number; inserted: string },
): string {
  const offset = Math.floor(at * text.length);
  return text.slice(0, offset) + inserted + text.slice(offset + removed);
}

describe('YAML that is read without the library has the value and the positions that the library reads', () => {
  test('in every document of this repository', () => {
    const isEmitted = ({ file }: Document): boolean => file.startsWith('dist/');
    const read = new Set(documents.filter(({ text }) => agrees(text)));
    const emitted = documents.filter(isEmitted);
    expect(emitted.length).toBeGreaterThan(50);
    // Nearly everything that synth writes.
    expect(emitted.filter((each) => !read.has(each)).length).toBeLessThanOrEqual(emitted.length / 50);
  });

  test('in whatever style a document is written', () => {
    let read = 0;
    fc.assert(
      fc.property(written, (text) => void (read += Number(agrees(text)))),
      { numRuns: 2000 },
    );
    expect(read).toBeGreaterThan(100);
  });

  test('in every text that is nearly one', () => {
    const short = documents.map(({ text }) => text).filter(({ length }) => length > 10 && length < 3000);
    const base = fc.oneof(written, fc.constantFrom(...short));
    let read = 0;
    fc.assert(
      fc.property(base, edits, (text, all) => void (read += Number(agrees(all.reduce(edit, text))))),
      { numRuns: 3000 },
    );
    expect(read).toBeGreaterThan(100);
  });
});

/** The paths of all values, of fields that are missing, and of items behind the last one. */
function pathsIn(value: unknown, path: FieldPath = []): FieldPath[] {
  const inside = Array.isArray(value)
    ? value.flatMap((item, index) => pathsIn(item, [...path, index]))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, item]) => pathsIn(item, [...path, name]))
      : [];
  return [...(path.length === 0 ? [] : [path]), [...path, 'missing'], [...path, 99], ...inside];
}

/** Compares the offsets of up to 40 paths. Returns the number of those that are found without the library, and of all. */
function findsAlike(text: string): { readonly found: number; readonly all: number } {
  const tree = parseYamlTree(text);
  const all = pathsIn(readBlockYaml(text)?.value);
  const paths = all.filter((_, index) => index % Math.ceil(all.length / 40) === 0);
  const found = paths.flatMap((each) => {
    const offset = offsetInBlockYaml(text, each);
    return offset === undefined ? [] : [{ text, path: each, offset }];
  });
  expect(found).toEqual(found.map((each) => ({ ...each, offset: offsetInYaml(tree, each.path) })));
  return { found: found.length, all: paths.length };
}

describe('the offset of a field that is found without the library is that of the library', () => {
  test('in the documents of this repository, of which nearly all are found in what synth writes', () => {
    const counts = { found: 0, all: 0 };
    for (const { file, text } of documents) {
      if (readBlockYaml(text) === undefined) continue;
      const { found, all } = findsAlike(text);
      if (!file.startsWith('dist/')) continue;
      counts.found += found;
      counts.all += all;
    }
    expect(counts.found).toBeGreaterThan(counts.all * 0.9);
  });

  test('in whatever style a document is written', () => {
    let found = 0;
    fc.assert(
      fc.property(written, (text) => {
        if (readBlockYaml(text) !== undefined) found += findsAlike(text).found;
      }),
      { numRuns: 1000 },
    );
    expect(found).toBeGreaterThan(1000);
  });
});

describe('it is read without the library', () => {
  const isRead = (text: string): boolean => readBlockYaml(text) !== undefined;
  test.each<[string, string]>([
    ['nested mappings and lists', 'a:\n  b:\n  - c: 1\n    d: [x, "y"]\n  - - e\n    - {}\n'],
    ['a scalar over several lines', 'message: The cluster\n  is available\n'],
    ['a literal', 'a: |-\n  b\n\n    c\nd: |\n  e\n'],
    ['quotes and comments', "# a\na: \"b\\n\" # c\n'd': 'e''f' \n"],
  ])('%s', (_, text) => {
    expect(isRead(text)).toBe(true);
    expect(agrees(text)).toBe(true);
  });

  test.each<[string, string]>([
    ['an anchor', 'a: &b c\n'],
    ['a tag', 'a: !!str 1\n'],
    ['a tab', 'a:\tb\n'],
    ['a folded scalar', 'a: >\n  b\n'],
    ['brackets over several lines', 'a: [b,\n  c]\n'],
    ['a repeated key', 'a: 1\na: 2\n'],
    ['a word of YAML 1.1', 'a: yes\n'],
    ['a merge key', '<<: {}\n'],
    ['an odd indentation', 'a:\n    b: 1\n  c: 2\n'],
    ['an unclosed quote', 'a: "b\n'],
  ])('but not %s', (_, text) => {
    expect(isRead(text)).toBe(false);
  });
});
