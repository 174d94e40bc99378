import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readBlockYaml, type BlockDocument } from '../../compiler/load/block-yaml.ts';
import { Findings } from '../../compiler/load/findings.ts';
import { SourceFile } from '../../compiler/load/source-file.ts';
import { readYamlTree } from '../../compiler/load/yaml-document.ts';
import { parseYamlTree } from '../../compiler/load/yaml-tree.ts';

/** As the quick reader reads a document; undefined where it leaves it to the library. */
function quick(text: string): unknown {
  const document = readBlockYaml(text, { start: 0, end: text.length }, () => undefined);
  return document && described(document);
}

/** As the library and Go's rules read it. */
function thorough(text: string): unknown {
  const findings = new Findings(new SourceFile('a.yaml', text));
  const document = readYamlTree(parseYamlTree(text), text, { start: 0, end: text.length }, findings);
  return document && [...described(document), ...findings.diagnostics];
}

function described({ value, start, items }: BlockDocument): unknown[] {
  return value === null ? [null] : [value, start, items?.map((item) => item.start)];
}

const configMap = `apiVersion: v1
kind: ConfigMap # of an add-on
metadata:
    name: hello-world
    annotations:
        "example.com/note": a long text that
          goes on
          and on
        quoted: 'it''s: #1, over
          two lines'  # here
        escaped: "a\\tb \\"c\\" \\u00e9"
data:
  script: |
    #!/bin/sh

    if true; then
      echo yes
    fi
  last: |-
    no line break
list:
- one
-   two: 2
    three: [] # nothing
- - -5
  - {}
-
  four: ~
# the end
`;

const list = `apiVersion: v1
items:
  - kind: A
    metadata:
      name: a


  # the second
  - metadata: {}
    kind: B
kind: List
`;

describe('what kubectl and people write', () => {
  test.each([configMap, list, '', '# nothing\n', 'a:\n', 'a: 1', '  a: b\n  c:\n  - d', 'a:\n- b\nc: d\n'])(
    '%j',
    (text) => {
      expect(quick(text)).toEqual(thorough(text));
    },
  );

  test('is read with its values', () => {
    expect(quick(configMap)).toEqual([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: 'hello-world',
          annotations: {
            'example.com/note': 'a long text that goes on and on',
            quoted: "it's: #1, over two lines",
            escaped: 'a\tb "c" é',
          },
        },
        data: { script: '#!/bin/sh\n\nif true; then\n  echo yes\nfi\n', last: 'no line break' },
        list: ['one', { two: 2, three: [] }, [-5, {}], { four: null }],
      },
      0,
      undefined,
    ]);
    expect(quick(list)).toEqual([
      {
        apiVersion: 'v1',
        items: [
          { kind: 'A', metadata: { name: 'a' } },
          { metadata: {}, kind: 'B' },
        ],
        kind: 'List',
      },
      0,
      [list.indexOf('kind: A'), list.indexOf('metadata: {}')],
    ]);
  });
});

test.each([
  'a: yes\n',
  'a: 012\n',
  'on: a\n',
  'a: b\na: c\n',
  'a: {b: c}\n',
  'a: [b]\n',
  'a: &x b\n',
  'a: *x\n',
  'a: !!str b\n',
  'a: >\n  b\n',
  'a: |2\n  b\n',
  'a: "b\n  c"\n',
  'a: b\n\n  c\n',
  'a:\tb\n',
  'a: b\r\n',
  '- a\n',
  'a\n',
  'a: b: c\n',
  'a:\n  b: c\n d: e\n',
  '? a\n',
  '%YAML 1.2\n',
  'a: .inf\n',
  'a: "\\/"\n',
  '__proto__: a\n',
])('%j is left to the library', (text) => {
  expect(quick(text)).toBeUndefined();
});

const bits = [
  ' ',
  '  ',
  '\n',
  '\n  ',
  ':',
  ': ',
  '-',
  '- ',
  ' #',
  '#',
  "'",
  '"',
  '|',
  '|-',
  '>',
  '[',
  ']',
  '{',
  '}',
  ',',
  '&',
  '*',
  '!',
  '?',
  '\\',
  '\\n',
  '\t',
  'a',
  'a: b',
  '\n- c',
  'yes',
  '1',
  '~',
  '...',
  '%',
];

/** A text with some of it cut out, doubled or replaced. */
const damaged: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(configMap, list),
    fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: 3 }), fc.constantFrom(...bits)),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([text, changes]) =>
    changes.reduce<string>((changed, [where, cut, bit]) => {
      const at = Math.floor(where * changed.length);
      return changed.slice(0, at) + bit + changed.slice(at + cut);
    }, text),
  );

test('both readers agree wherever the quick one reads', () => {
  let read = 0;
  fc.assert(
    fc.property(damaged, (text) => {
      const result = quick(text);
      if (result === undefined) return;
      read++;
      expect(result).toEqual(thorough(text));
    }),
    { numRuns: 3000 },
  );
  expect(read).toBeGreaterThan(300);
});

test('both readers agree on whatever is written, and the quick one reads it without odd scalars', () => {
  const key = fc.stringMatching(/^[a-z][\w./-]{2,12}$/);
  const text = fc.stringMatching(/^[A-Za-z][\w ./:#'"-]{0,120}$/);
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 5 }, text, fc.integer(), fc.boolean(), tie('list'), tie('map')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    map: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  }));
  const style = fc.record({
    indent: fc.integer({ min: 2, max: 5 }),
    indentSeq: fc.boolean(),
    singleQuote: fc.constant(true),
    lineWidth: fc.constant(0),
  });
  fc.assert(
    fc.property(
      fc.dictionary(key, value, { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
      style,
      (object, options) => {
        const written = stringify(object, { ...options, version: '1.1', blockQuote: 'literal' });
        expect(quick(written)).toEqual(thorough(written));
        expect(quick(written)).toEqual([object, 0, undefined]);
      },
    ),
    { numRuns: 300 },
  );
});

test('an odd item of the list at the root is asked for, the others are read', () => {
  const text = 'items:\n- a: 1\n- {b: 2}\n- c: |2\n    x\n  # comment\n\n  d: 3\n- e: 4\nkind: List\n';
  const asked: [string, number][] = [];
  const document = readBlockYaml(text, { start: 0, end: text.length }, ({ start, end }, index) => {
    asked.push([text.slice(start, end), index]);
    return { value: `item ${index}` };
  });
  expect(document?.value).toEqual({ items: [{ a: 1 }, 'item 1', 'item 2', { e: 4 }], kind: 'List' });
  expect(asked).toEqual([
    ['{b: 2}\n', 1],
    ['c: |2\n    x\n  # comment\n\n  d: 3\n', 2],
  ]);
});
