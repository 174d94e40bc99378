import type { Random } from './random.ts';

const keys = [
  'a',
  'b',
  'c',
  'a.b',
  'a.b.c',
  '"q k"',
  "'r'",
  '""',
  'x-1_y',
  '1',
  'a . b',
  '\u00e9',
  '',
  '.a',
  'a.',
  'a..b',
  'b c',
];
const scalars = [
  '1',
  '+1',
  '-0',
  '1_000',
  '1__0',
  '_1',
  '01',
  '0x1F',
  '0o17',
  '0b101',
  '0b2',
  '0x',
  '+0x1',
  '9223372036854775808',
  '1.5',
  '-1.5e10',
  '1e5',
  '1.',
  '.5',
  '1e400',
  '1.2.3',
  '1e+',
  'inf',
  '-inf',
  '+nan',
  'nan',
  'int',
  'nax',
  '+infx',
  '+x',
  'true',
  'false',
  'True',
  'truee',
  '2024-02-29',
  '2023-02-29',
  '2024-02-29T12:34:56Z',
  '2024-02-29 12:34:56.5+02:00',
  '2024-02-29t12:34:56',
  '12:34:56',
  '12:34:56.789',
  '1:2:3',
  '2024-2-1',
  '"text"',
  '"a\\tb\\u00e9\\U0001F600\\\\ \\""',
  '"bad \\x escape"',
  '"bad \\u12 escape"',
  '"\\ud800"',
  '"open',
  '"two\nlines"',
  "'raw \\n'",
  "'open",
  '"""\nmulti\\\n   line"""',
  '"""a""b"""""',
  '"""a""""""',
  '"""open',
  "'''\nraw\nlines'''",
  "'''a''''''",
  '""',
  "''",
  '',
  '=',
  '?',
  '@x',
  '\u0001',
];

function value(random: Random, depth: number): string {
  const kind = depth === 0 ? 0 : random.below(5);
  if (kind === 1) {
    const separator = random.pick([', ', ',', ',\n ', ' # c\n, ', random.chance(0.9) ? ',' : ' ']);
    const items = random.some(4, () => value(random, depth - 1));
    return `[${items.join(separator)}${random.pick(['', '', ',', '\n', ' # c\n'])}${random.chance(0.97) ? ']' : ''}`;
  }
  if (kind === 2) {
    const pairs = random.some(3, () => `${random.pick(keys)} = ${value(random, depth - 1)}`);
    const end = random.chance(0.95) ? '' : random.pick([',', '\n', '# c\n']);
    return `{${pairs.join(random.chance(0.97) ? ', ' : ' ')}${end}${random.chance(0.97) ? '}' : ''}`;
  }
  return random.chance(0.6) ? random.pick(['1', 'true', '"x"', '1.5', '2024-02-29']) : random.pick(scalars);
}

function line(random: Random): string {
  const key = random.pick(random.chance(0.8) ? keys.slice(0, 11) : keys);
  const kind = random.below(12);
  if (kind === 0) return '';
  if (kind === 1) return '# a comment';
  if (kind <= 4) return `[${key}]`;
  if (kind <= 6) return `[[${key}]]`;
  const text = `${key}${random.pick([' = ', '=', ' =\t'])}${value(random, 2)}`;
  return text + random.pick(['', '', '', ' ', ' # c', random.chance(0.1) ? ' x' : '']);
}

/** Returns a text that is nearly TOML. */
export function randomToml(random: Random): string {
  const lines = [line(random), ...random.some(7, () => line(random))];
  const text = lines.join(random.chance(0.9) ? '\n' : '\r\n');
  if (random.chance(0.05)) return text.slice(0, random.below(text.length + 1));
  return text + (random.chance(0.5) ? '\n' : '');
}
