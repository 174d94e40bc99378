import type { Random } from '../hub/differential/random.ts';

type Mutation = (text: string, random: Random) => string | Buffer;

/** Texts that YAML, a decoder or a terminal reads in their own way. */
const fragments: readonly string[] = [
  '\t',
  '\r',
  '\u0000',
  '\u001b[2J',
  '\u0085',
  '\u2028',
  '\ufeff',
  '\ufffe',
  '😀',
  '- ',
  '-',
  ': ',
  ':',
  '? ',
  '#',
  ' #',
  '|',
  '>',
  '|-\n',
  '|99',
  '{',
  '}',
  '[',
  ']',
  ',',
  '"',
  "'",
  '\\',
  '"\\ud800"',
  '"\\x00"',
  '%',
  '@',
  '`',
  '!',
  '!!binary ',
  '!!set ',
  '!!timestamp ',
  '!!int ',
  '!!js/function ',
  '!<tag:x> ',
  '&a ',
  '*a',
  '<<: *a',
  '<<: [*a, *b]',
  '...\n',
  '---\n',
  '--- |\n',
  '%YAML 1.3\n---\n',
  '%TAG ! x\n',
  '{{ .Values.x }}',
  '{{- if x }}\n',
  '<<<<<<< HEAD\n',
  '=======\n',
  '&a [*a]',
];

const mutations: readonly Mutation[] = [
  (text, random) => spliced(text, random, random.pick(fragments), 0),
  (text, random) => spliced(text, random, random.pick(fragments), 0),
  (text, random) => spliced(text, random, random.pick(fragments), random.between(0, 30)),
  (text, random) => spliced(text, random, '', random.pick([1, 2, 10, 100, 1000])),
  // Cut off, as by a full disk.
  (text, random) => text.slice(0, random.between(0, text.length)),
  (text, random) => Buffer.from(text).subarray(0, random.between(0, text.length)),
  (text, random) => onLines(text, random, () => []),
  (text, random) => onLines(text, random, (line) => [line, line]),
  (text, random) => onLines(text, random, (line) => [`${' '.repeat(random.between(1, 9))}${line}`]),
  (text, random) => onLines(text, random, (line) => [line.trimStart()]),
  (text, random) =>
    onLines(text, random, (line) => [line.replace(/^ +/, (spaces) => '\t'.repeat(spaces.length / 2))]),
  (text, random) => onLines(text, random, (line) => [line.replace(/: .*$/, ':')]),
  (text, random) =>
    onLines(text, random, (line) => [line.replace(/: /, ': &a '), line.replace(/: .*$/, ': *a')]),
  (text, random) => onLines(text, random, (line) => [`${line} ${'x'.repeat(random.pick([100, 100_000]))}`]),
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => text.replaceAll('\n', '\r'),
  (text) => `\ufeff${text}`,
  (text) => text.replaceAll('  ', '\t'),
  (text) => text.replaceAll(/["']/g, ''),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  (text) => Buffer.from(text, 'latin1'),
  (text, random) => flipped(text, random),
  (text) => `${text}\n---\n${text}`,
  () => '',
  (text, random) => `${text}\n---\n${bomb(random)}`,
  (text, random) => text.replace(/\{ /, `{ a: ${'['.repeat(random.pick([50, 3000]))}`),
];

/** Changes the text of a file as editors, merges, encodings and attackers do. The result may not be text any more. */
export function mutateText(text: string, random: Random): string | Buffer {
  return random.pick(mutations)(text, random);
}

function spliced(text: string, random: Random, fragment: string, removed: number): string {
  const start = random.between(0, text.length);
  return `${text.slice(0, start)}${fragment}${text.slice(start + removed)}`;
}

function onLines(text: string, random: Random, change: (line: string) => readonly string[]): string {
  const lines = text.split('\n');
  const index = random.between(0, lines.length - 1);
  lines.splice(index, 1, ...change(lines[index] ?? ''));
  return lines.join('\n');
}

function flipped(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text);
  for (let count = random.between(1, 4); count > 0 && bytes.length > 0; count--)
    bytes[random.between(0, bytes.length - 1)] = random.between(0, 255);
  return bytes;
}

/** Aliases of aliases: a few lines that expand to millions of values. */
function bomb(random: Random): string {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const lines = names.map((name, index) => {
    const inner = index === 0 ? 'x' : `*${names[index - 1] ?? ''}`;
    return `${name}: &${name} [${Array.from({ length: 9 }, () => inner).join(', ')}]`;
  });
  return random.chance(0.5)
    ? `${lines.join('\n')}\n`
    : `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: bomb }\ndata:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
