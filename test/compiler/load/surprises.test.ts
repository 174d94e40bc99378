import { expect, test } from 'vitest';
import { loadText } from './load-text.ts';

/** The first line of every finding, with its place. */
function findings(text: string): string[] {
  return loadText(text)
    .printed.split('\n\n')
    .slice(0, -1)
    .map((block) => {
      const [title = '', place = ''] = block.split('\n');
      return `${place.replace(/.*:(\d+:\d+)$/, '$1')} ${title}`;
    });
}

test('words that kubectl reads as booleans', () => {
  expect(findings('a: yes\nb: [Off, N]\nc: "yes"\nd: true\ne: FALSE\nf: yeS\ng: !!str on\n')).toEqual([
    '1:4 warning FW1007: yes is text, but kubectl reads it as true',
    '2:5 warning FW1007: Off is text, but kubectl reads it as false',
    '2:10 warning FW1007: N is text, but kubectl reads it as false',
  ]);
});

test('numbers that change when they are read', () => {
  const text =
    'a: 012\nb: 0x1f\nc: 1_000\nd: 1.10\ne: 1e3\nf: .5\ng: +1\nh: 99999999999999999999\ni: -0\nj: 1.5\nk: -12\nl: 0\nm: 12:30\np: 2026-01-01\nq: 9007199254740993\n';
  expect(findings(text)).toEqual([
    '1:4 warning FW1008: 012 is read as the number 10',
    '2:4 warning FW1008: 0x1f is read as the number 31',
    '3:4 warning FW1008: 1_000 is text, but kubectl reads it as the number 1000',
    '4:4 warning FW1008: 1.10 is read as the number 1.1',
    '5:4 warning FW1008: 1e3 is read as the number 1000',
    '6:4 warning FW1008: .5 is read as the number 0.5',
    '7:4 warning FW1008: +1 is read as the number 1',
    '8:4 warning FW1008: 99999999999999999999 is read as the number 100000000000000000000',
    '9:4 warning FW1008: -0 is read as the number 0',
  ]);
});

test('keys that are misleading', () => {
  expect(findings('on: 1\n1.10: 2\n0x10: 3\n.INF: 4\n1: 5\nfalse: 6\n"no": 7\n')).toEqual([
    '1:1 warning FW1007: the key on is "on", but kubectl reads it as "true"',
    '2:1 warning FW1008: the key 1.10 is read as "1.1"',
    '3:1 warning FW1008: the key 0x10 is read as "16"',
    '4:1 warning FW1008: the key .INF is read as ".inf"',
  ]);
});

test('a surprise behind an alias is reported once', () => {
  expect(findings('a: &a [yes]\nb: *a\nc: *a\n')).toEqual([
    '1:8 warning FW1007: yes is text, but kubectl reads it as true',
  ]);
});

test('values that JSON cannot represent', () => {
  expect(
    findings('a: .inf\nb: .NaN\nnull: c\n? [d]\n: e\n? {f: g}\n: h\ni: !!int j\nk: !!binary "?"\n<<: l\n'),
  ).toEqual([
    '1:4 error FW1009: JSON has no number .inf',
    '2:4 error FW1009: JSON has no number .NaN',
    '3:1 error FW1009: null is used as a key',
    '4:3 error FW1009: a list is used as a key',
    '6:3 error FW1009: a mapping is used as a key',
    '8:10 error FW1009: the tag !!int does not fit "j"',
    '9:13 error FW1009: the tag !!binary does not fit "?"',
    '10:1 error FW1009: the value of << is neither a mapping nor a list of mappings',
  ]);
});

test('repeated keys', () => {
  expect(
    loadText(
      "a: 1\n'a': 2\nb:\n  'true': 1\n  true: 2\nc: &c { x: 1 }\nd:\n  x: 2\n  <<: *c\ne: { <<: *c, <<: *c }\n",
    ).printed,
  ).toMatchInlineSnapshot(`
    "warning FW1003: the key "a" is repeated in one mapping, and the last value is used
     --> app.yaml:2:1
      |
    2 | 'a': 2
      | ^
      = field: a
      = hint: remove one of the two: kubectl and Argo CD take the last one, kustomize rejects the file
      = see: the first one, app.yaml:1:1

    warning FW1003: the key "true" is repeated in one mapping, and the last value is used
     --> app.yaml:5:3
      |
    5 |   true: 2
      |   ^
      = field: b.true
      = hint: remove one of the two: kubectl and Argo CD take the last one, kustomize rejects the file
      = see: the first one, app.yaml:4:3

    warning FW1003: << comes after the key "x" and replaces its value
     --> app.yaml:9:3
      |
    9 |   <<: *c
      |   ^
      = field: d.x
      = hint: write << first: kubectl takes the merged value here, other tools take that of the key
      = see: the key, app.yaml:8:3

    warning FW1003: the key "<<" is repeated in one mapping, and the last value is used
      --> app.yaml:10:14
       |
    10 | e: { <<: *c, <<: *c }
       |              ^
       = field: e[<<]
       = hint: remove one of the two: kubectl and Argo CD take the last one, kustomize rejects the file
       = see: the first one, app.yaml:10:6

    4 warnings
    "
  `);
});

test('aliases without an anchor', () => {
  expect(findings('a: *b\nb: &b c\nd: &d\n  - *d\n')).toEqual([
    '1:4 error FW1005: there is no anchor &b before this alias',
    '4:5 error FW1005: the value of the anchor &d contains itself',
  ]);
  expect(findings('a: &a b\n---\nc: *a\n')).toEqual([
    '3:4 error FW1005: there is no anchor &a before this alias',
  ]);
});

test('content on the line of a marker', () => {
  expect(findings('a: 1\n---  b: 2\n---x\n')).toEqual([
    '2:6 error FW1011: the line of the document marker --- has other content',
    '3:4 error FW1011: the line of the document marker --- has other content',
  ]);
  expect(findings('%TAG ! x\n---\na: 1\n')).toEqual([
    '1:1 error FW1011: kubectl does not support YAML directives',
  ]);
});

test('characters that readers interpret differently', () => {
  expect(findings('a: b\u0000\n---\nc: d\re: f\n---\ng: "\u0085"\n')).toEqual([
    '1:5 error FW1012: the control character U+0000 is not allowed in YAML',
    '3:5 error FW1012: the control character U+000D is not allowed in YAML',
    '5:5 warning FW1014: the character U+0085 ends a line for kubectl, but not for other readers of YAML',
  ]);
});

test('file modes are octal, without a finding', () => {
  const text = 'kind: A\nv: [{ defaultMode: 0755, items: [{ mode: 0400 }] }]\nmode: 0o644\nmodes: 0755\n';
  expect(findings(text)).toEqual([
    '3:7 warning FW1008: 0o644 is read as the number 420',
    '4:8 warning FW1008: 0755 is read as the number 493',
  ]);
  const [object] = loadText(text).objects;
  expect(object?.object).toEqual({
    kind: 'A',
    v: [{ defaultMode: 0o755, items: [{ mode: 0o400 }] }],
    mode: 0o644,
    modes: 0o755,
  });
});

test('of a repeated key the last value counts, and its place is that of the field', () => {
  const [first] = loadText('kind: A\nspec: { a: 1, a: 2 }\n').objects;
  expect(first?.object).toEqual({ kind: 'A', spec: { a: 2 } });
  expect(first?.origin.locate(['spec', 'a'])).toMatchObject({ line: 2, column: 15 });
});
