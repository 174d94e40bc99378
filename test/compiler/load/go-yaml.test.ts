import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { goJson } from '../../../src/base/json/go-json.ts';
import { readDocuments } from '../../../src/compiler/load/documents.ts';
import { DiagnosticCollector } from '../../../src/compiler/load/diagnostic-collector.ts';
import { SourceFile } from '../../../src/compiler/load/source-file.ts';
import { parseGoJson } from '../../../src/base/json/parse-json.ts';

type Pairs = readonly (readonly [string, string])[];

/** Recorded answers of Go's readers; the file says which. */
const recorded = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../conformance/go-yaml.json'), 'utf8'),
) as {
  plain: Pairs;
  tagged: Pairs;
  keys: Pairs;
  documents: { text: string; json?: string; error?: string }[];
};

/** What is said where the value is YAML 1.2's, and kubectl, which reads YAML 1.1, has another. */
const warnings = new Set(['FW1007', 'FW1008', 'FW1014']);

function read(text: string): { json: string; errors: string[]; isWarned: boolean } {
  const findings = new DiagnosticCollector(new SourceFile('app.yaml', text));
  const documents = readDocuments(text, findings);
  return {
    json: documents.map(({ value }) => goJson(value)).join(),
    errors: findings.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code),
    isWarned: findings.diagnostics.some(({ code }) => warnings.has(code)),
  };
}

/** As the API server reads what kubectl sends, without the documents that are null. */
function asApiServer(json: string): string {
  const parsed = parseGoJson(`[${json}]`);
  if (!('value' in parsed) || !Array.isArray(parsed.value)) throw new Error(json);
  return parsed.value
    .filter((value) => value !== null)
    .map((value) => goJson(value))
    .join();
}

/** Either the value equals kubectl's, or a warning reports the difference. */
function isAsKubectl(text: string, json: string): boolean {
  const { json: ours, errors, isWarned } = read(text);
  return errors.length === 0 && (ours === json || isWarned);
}

test.each(recorded.plain)(
  'the plain scalar %j is %s, or a warning reports that kubectl reads it so',
  (scalar, json) => {
    expect(isAsKubectl(`v: ${scalar}`, asApiServer(`{"v":${json}}`))).toBe(true);
  },
);

test.each(recorded.tagged.filter(([scalar]) => scalar !== '!!bool "yes"'))(
  'the tagged scalar %j is %s',
  (scalar, json) => {
    expect(read(`v: ${scalar}`)).toMatchObject({ json: asApiServer(`{"v":${json}}`), errors: [] });
  },
);

test.each(recorded.keys)('the key %j is %j, or a warning reports that kubectl reads it so', (key, name) => {
  expect(isAsKubectl(`${key}: 0`, goJson({ [name]: 0 }))).toBe(true);
});

test('the words of YAML 1.1 are text; the numbers of YAML 1.2 count, and octal ones with a leading zero', () => {
  const text = 'a: yes\nb: off\nc: 012\nd: 0o17\ne: 1_000\nf: 0b11\ng: 12:30\n';
  expect(read(text).json).toBe('{"a":"yes","b":"off","c":10,"d":15,"e":"1_000","f":"0b11","g":"12:30"}');
});

/** What kubectl reads and Fleetwright refuses, each with a code whose page says why. */
const refusedBesides: Readonly<Record<string, string>> = {
  'a: !!binary /w==': 'FW1009',
  'a: !!bool "yes"': 'FW1009',
  '---\na: 1\n...\nb: 2': 'FW1011',
  'a: b\rc: d': 'FW1012',
  ' a: 1\nb: 2': 'FW1001',
  'a: 1\n---# c\nb: 2': 'FW1011',
  '{a:}': 'FW1001',
  '{a:,b}': 'FW1001',
  '[a:]': 'FW1001',
  '[-]': 'FW1001',
  '{a: -}': 'FW1001',
  '[{a:}]': 'FW1001',
  '[{a::}]': 'FW1001',
  '[{a: b:}]': 'FW1001',
  'a: 1\n... x\n': 'FW1001',
  '"a":1': 'FW1001',
  '"a"::1': 'FW1001',
};

/** What kubectl refuses and Fleetwright reads; nothing in them can be mistaken. */
const readBesides = new Set(['a: b\u2028c', '...', '{"a"::1}', '[{"a"::1}]', '[{a: :b}]']);

describe('documents', () => {
  const [refused, accepted] = [true, false].map((isError) =>
    recorded.documents.filter(({ error }) => (error !== undefined) === isError),
  );

  test.each(accepted ?? [])('$text is read as by kubectl', ({ text, json = '' }) => {
    const refusal = refusedBesides[text];
    const { errors } = read(text);
    expect(errors).toEqual(refusal === undefined ? [] : [refusal]);
    expect(refusal !== undefined || isAsKubectl(text, asApiServer(json))).toBe(true);
  });

  test.each(refused ?? [])('$text is refused as by kubectl', ({ text }) => {
    expect(read(text).errors.length > 0).toBe(!readBesides.has(text));
  });

  test('there are enough of both', () => {
    expect(accepted?.length).toBeGreaterThan(100);
    expect(refused?.length).toBeGreaterThan(50);
  });
});

test.each([
  ['a quoted text whose lines are not indented', "a:\n  b: 'x\ny'\nc: 1\n", '{"a":{"b":"x y"},"c":1}'],
  ['a quoted text with a tab', 'a: "x\n\ty"\n', '{"a":"x y"}'],
  ['a blank line behind a backslash', 'a: "x\\\n\n  y"\n', '{"a":"x\\ny"}'],
  ['brackets that are not indented', 'a:\n  b: [x,\nz\n]\n', '{"a":{"b":["x","z"]}}'],
  [
    'a comment directly behind a value',
    "a: 'x'# c\nb: [w]# c\nc: |# c\n  z\n",
    '{"a":"x","b":["w"],"c":"z\\n"}',
  ],
  [
    'folded lines that are indented more',
    'a: >\n  x\n    y\n\n    z\n  v\n  w\n',
    '{"a":"x\\n  y\\n\\n  z\\nv w\\n"}',
  ],
  ['a line of spaces below the indentation of a header', 'a: |1\n  \n', '{"a":" \\n"}'],
  ['blank lines that are kept', 'a: |+\n\n\n   ', '{"a":"\\n\\n\\n"}'],
  ['a header without lines', 'a:\n- |\n# b\n- c\n', '{"a":["","c"]}'],
  ['a folded text with line breaks of Windows', 'a: >\r\n  x\r\n  y\r\n', '{"a":"x y\\n"}'],
])('%s is read as by kubectl', (_, text, json) => {
  expect(read(text)).toEqual({ json, errors: [], isWarned: false });
});
