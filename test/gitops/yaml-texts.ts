import type { Random } from '../hub/differential/random.ts';

const words = [
  'a',
  'bc',
  'd e',
  'x: y',
  '# no',
  'v#w',
  "it's",
  '- f',
  '{g',
  'h]',
  '""',
  '\\n',
  '...',
  'k:',
  '&l',
  '*m',
  '!n',
  '%o',
  '1',
  'yes',
];
const plainWords = ['a', 'bc', 'd e', 'v#w', "it's", 'f-', 'g:h', '1', 'yes', 'x,y'];

/** Returns a YAML document with scalars of every style, at every indentation, that a YAML reader might read in its own way. */
export function yamlText(random: Random): string {
  const lines: string[] = [];
  const count = 1 + random.between(0, 2);
  const kind = random.fraction();
  for (let index = 0; index < count; index++) {
    const value = valueText(random, kind < 0.4 ? 0 : 2);
    lines.push(
      kind < 0.4
        ? `k${index}: ${value}`
        : kind < 0.7
          ? `k${index}:\n  n: ${value}`
          : `k${index}:\n- ${value}`,
    );
    if (random.fraction() < 0.15) lines.push(random.pick(['# comment', '  # comment', '', '   ']));
  }
  return lines.join('\n') + random.pick(['\n', '\n', '', '\n\n', '\n# end\n', '\n  \n']);
}

function valueText(random: Random, indentation: number): string {
  const style = random.fraction();
  if (style < 0.45) return block(random, indentation);
  if (style < 0.75) return quoted(random, indentation);
  return style < 0.9 ? plain(random, indentation) : flow(random, indentation);
}

/** Lines that are indented alike, more, or less. */
function continuation(random: Random, indentation: number, texts: readonly string[], mayTab = true): string {
  const count = random.between(0, 3);
  let text = '';
  for (let index = 0; index < count; index++) {
    const kind = random.fraction();
    if (kind < 0.2) text += '\n';
    else if (kind < 0.27) text += `\n${' '.repeat(random.between(0, 5))}`;
    else {
      const more = random.pick([2, 2, 2, 2, 1, 3, 4, 0, -indentation]);
      const tab = mayTab && random.fraction() < 0.06 ? '\t' : '';
      text += `\n${' '.repeat(indentation + more)}${tab}${random.pick(texts)}${random.pick(['', '', '', ' ', '\t'])}`;
    }
  }
  return text;
}

function block(random: Random, indentation: number): string {
  const header = random.pick(['|', '>']) + random.pick(['', '', '', '-', '+', '2', '1', '4', '2-', '+2']);
  return (
    header +
    random.pick(['', '', '', ' # c', ' ', '# c']) +
    continuation(random, indentation, words) +
    continuation(random, indentation, words)
  );
}

function quoted(random: Random, indentation: number): string {
  const [quote, texts] = random.pick([
    [
      '"',
      [
        'a',
        'b c',
        'x: y',
        "it's",
        '# no',
        '\\',
        'e\\',
        '\\n',
        '\\t',
        '\\\\',
        '\\x41',
        '\\u00e9',
        '- f',
        '...',
        '',
      ],
    ],
    ["'", ['a', 'b c', 'x: y', "''", '# no', '\\', '"', '- f', '...', '']],
  ] as const);
  const first = random.pick(texts);
  return (
    quote +
    first +
    continuation(random, indentation, texts) +
    quote +
    random.pick(['', '', '', ' ', ' # c', '# c'])
  );
}

function plain(random: Random, indentation: number): string {
  return (
    random.pick(plainWords) + continuation(random, indentation, plainWords) + random.pick(['', '', ' # c'])
  );
}

function flow(random: Random, indentation: number): string {
  const separator = (): string =>
    random.pick([
      ', ',
      ',',
      `,\n${' '.repeat(indentation + random.pick([2, 4, 0]))}`,
      ` ,\n\n${' '.repeat(indentation)}`,
    ]);
  const item = (): string => random.pick(['a', '"b"', "'c'", '1', '[]', '{}', '"x\n  y"', '']);
  const [open, close] = random.pick([
    ['[', ']'],
    ['{', '}'],
  ] as const);
  const texts = [item(), item()].map((text, index) =>
    open === '{' ? `${'pq'.charAt(index)}: ${text}` : text,
  );
  return (
    open +
    random.pick(['', ' ', `\n${' '.repeat(indentation)}`]) +
    texts.join(separator()) +
    random.pick(['', '\n', `\n${' '.repeat(indentation)}`]) +
    close
  );
}
