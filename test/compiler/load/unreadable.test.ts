import { expect, test } from 'vitest';
import { loadText } from './load-text.ts';

/** The first finding of a text: its location, message and, on a separate line, its hint. */
function finding(text: string, file = 'app.yaml'): string {
  const { objects, printed } = loadText(text, file);
  expect(objects).toEqual([]);
  const [title = '', place = '', ...rest] = (printed.split('\n\n')[0] ?? '').split('\n');
  const hint = rest.find((line) => line.includes('= hint: '))?.replace(/.*= hint: /, '');
  return [
    `${place.replace(/.*:(\d+:\d+)$/, '$1')} ${title.replace(/^error /, '')}`,
    ...(hint === undefined ? [] : [hint]),
  ].join('\n');
}

test.each([
  [
    'an indentation that fits nothing',
    'a:\n  b: 1\n c: 2\n',
    '3:2 the indentation of this line matches no enclosing mapping',
    'give all keys of a mapping the same indentation',
  ],
  [
    'a list item at another column',
    'a:\n- b: 1\n - c: 2\n- d: 3\n',
    '3:2 the indentation of this line matches no enclosing list',
    'give all items of a list the same indentation',
  ],
  [
    'a mapping on the line of a key',
    'image: repo: tag\n',
    '1:8 a mapping begins in the middle of a line',
    'put a text that contains ": " in quotes, or begin the mapping on the next line',
  ],
  [
    'a mapping below a value',
    'name: a\n  namespace: b\n',
    '1:7 this key has a value and, below it, lines that are indented deeper',
    'a key has either a value on its line or a mapping below it',
  ],
  [
    'a word without a colon',
    'a: 1\nword\nb: 2\n',
    '2:1 this line lacks a colon, or a key goes over several lines',
    'write each key and its colon on one line',
  ],
  [
    'a list on the line of its key',
    'a: - b\n',
    '1:4 a list begins on the line of its key',
    'begin the list on the next line',
  ],
  ['a list among keys', 'a:\n  b: 1\n  - c\n', '3:3 a list is used as a key'],
  [
    'text instead of an item',
    'a:\n- b\nc\n',
    '3:1 this is neither "key: value" nor an item of a list',
    'write a colon and a space after a key',
  ],
  [
    'a key of two lines',
    '"a\n b": 1\n',
    '1:1 this line lacks a colon, or a key goes over several lines',
    'write each key and its colon on one line',
  ],
  [
    'an open single quote',
    "a: 'b\nc: d\n",
    '1:4 the closing quote is missing',
    'write the same quote at the end of the text',
  ],
  [
    'an open double quote',
    'a:\n  b: "c\n',
    '2:6 the closing quote is missing',
    'write the same quote at the end of the text',
  ],
  ['an open double quote at the end', 'a: "b\\"', '1:4 the closing " is missing'],
  ['an open single quote at the end', "a: '''", "1:4 the closing ' is missing"],
  [
    'a text in quotes without an end',
    'a: "b\nc\n',
    '1:4 the closing quote is missing',
    'write the same quote at the end of the text',
  ],
  [
    'an open bracket',
    'a: [b, {c: d}\ne: f\n',
    '1:4 the closing bracket is missing',
    'write ] or } where the list or mapping ends',
  ],
  [
    'an open brace',
    'a: {b: [c]\n',
    '1:4 the closing bracket is missing',
    'write ] or } where the list or mapping ends',
  ],
  [
    'a bracket that was not opened',
    'a: b\n]\n',
    '2:1 this does not belong to anything before it',
    'look at its indentation, and at the brackets and quotes before it',
  ],
  [
    'an escape that YAML does not have',
    'a: "\\d+"\n',
    '1:5 this escape does not exist',
    'write \\\\ for a backslash, or use single quotes',
  ],
  [
    'an escape that only YAML 1.2 has',
    'a: "https:\\/\\/x"\n',
    '1:11 kubectl does not support the escape \\/',
    'write / without a backslash',
  ],
  [
    'half a character as an escape',
    'a: "\\ud83d\\ude00"\n',
    '1:5 kubectl does not support the escape \\ud83d',
    'write the character itself',
  ],
  [
    'a reserved character',
    'a: @b\n',
    '1:4 a text without quotes cannot begin with this character',
    'put it in quotes',
  ],
  ['a missing comma', 'a: ["b" "c"]\n', '1:9 a comma is missing'],
  ['there is an extra comma', 'a: [b,, c]\n', '1:7 there is an extra comma'],
  [
    'a colon without a space in braces',
    'a: {b:}\n',
    '1:6 kubectl takes this colon as part of the key',
    'write a space after the colon',
  ],
  [
    'a block list in brackets',
    'a: [\n  - b\n  ]\n',
    '2:3 lists and mappings by indentation are not allowed inside [ ] or { }',
  ],
  [
    'a block of text on the line of its sign',
    'a: | b\n  c\n',
    '1:6 the text of a block begins on the line after its | or >',
  ],
  [
    'a block of text that loses its indentation',
    'a: |\n    b\n  c\n',
    '3:3 the indentation of this line matches no enclosing mapping',
    'give all keys of a mapping the same indentation',
  ],
  [
    'text behind a quote',
    "a: 'b' c\n",
    '1:8 there is something after the end of this value',
    'put all of the value in quotes, or none of it',
  ],
  ['an anchor without a name', 'a: & b\n', '1:4 the name of the anchor is missing'],
  [
    'an anchor that kubectl does not know',
    'a: &b.c d\n',
    '1:9 kubectl does not support anchors such as &b.c',
    'use letters, digits, - and _',
  ],
  ['two anchors', 'a: &b &c d\n', '1:7 a value has more than one anchor or tag'],
  ['an anchor at an alias', 'a: &b c\nd: &e *b\n', '2:7 an alias cannot have an anchor or a tag'],
  [
    'an anchor on the line of a list',
    'a: &b - c\n',
    '1:7 a list begins on the line of its key',
    'begin the list on the next line',
  ],
  ['an unknown tag handle', 'a: !e!b c\n', '1:4 this tag is unknown'],
  [
    'a colon on the next line',
    'a\n  : b\n',
    '2:3 this does not belong to anything before it',
    'look at its indentation, and at the brackets and quotes before it',
  ],
  [
    'a document that begins further right than it goes on',
    '  a: 1\nb: 2\n',
    '2:1 this does not belong to anything before it',
    'look at its indentation, and at the brackets and quotes before it',
  ],
  [
    'nothing but an end marker and text',
    'a: 1\n... b\n',
    '2:5 there is something after the end of this value',
    'put all of the value in quotes, or none of it',
  ],
])('%s', (_, text, message, hint?: string) => {
  expect(finding(text)).toBe(message.replace(' ', ' FW1001: ') + (hint === undefined ? '' : `\n${hint}`));
});

test.each([
  ['before a key', 'a:\n\tb: c\n'],
  ['behind spaces', 'a:\n  \tb: c\n'],
  ['behind a dash', 'a:\n-\tb\n'],
  ['on an empty line', 'a:\n  b: c\n\t\n'],
  ['before a comment', 'a: b\n\t# c\n'],
  ['before the first text of a block', 'a: |\n \tb\n'],
])('a tab %s is refused', (_, text) => {
  expect(finding(text)).toMatch(/^\d+:\d+ FW1002: a tab is used for indentation\nindent with spaces$/);
});

test('tabs in text, before comments and around values are allowed', () => {
  const text = 'kind: A\na:\tb\t# c\nc: |\n  x\n  \ty\nd: "e\n  \tf"\ng: {h:\ti}\nj: k\tl\n';
  const { objects, printed } = loadText(text);
  expect(printed).toBe('');
  expect(objects[0]?.object).toEqual({
    kind: 'A',
    a: 'b',
    c: 'x\n\ty\n',
    d: 'e f',
    g: { h: 'i' },
    j: 'k\tl',
  });
});

test.each([
  ['{"a": 1 "b": 2}', '1:9 FW1004: a comma or } is expected here'],
  ['{"a": [{} {}]}', '1:11 FW1004: a comma or ] is expected here'],
  ['{"a" 1}', '1:6 FW1004: a colon is expected here'],
  ['{"a": ]}', '1:7 FW1004: a value is expected here'],
  ['{"a": 1, [}', '1:10 FW1004: a key in double quotes is expected here'],
  ['{"a": "\\x"}', '1:8 FW1004: JSON does not allow this escape or character in a string'],
  ['{"a": "b', '1:9 FW1004: the text ends in the middle of a value'],
  ['{"a": {"b": 1}', '1:15 FW1004: the text ends in the middle of a value'],
  ['{"kind":"A","x":1e999}', '1:1 FW1004: json: cannot unmarshal number 1e999 into Go value of type float64'],
])('the JSON %s', (text, expected) => {
  expect(finding(text, 'app.json')).toBe(expected);
});
