import type { Random } from './random.ts';

const scalars = [
  'a',
  'yes',
  '~',
  'null',
  '1',
  '-0x1F',
  '1_000',
  '0o14',
  '014',
  '1.5e3',
  '.inf',
  '2020-01-01',
  '1:30',
  '99999999999999999999',
  "'it''s'",
  '"a\\tb\\u00e9"',
  '"\\x41\\',
  '"line\n  next"',
  "'line\n\n  next'",
  'two words',
  'plain\n  more',
  'a: b',
  'http://x:1',
  'a#b',
  'a #b',
  '*a',
  '*b',
  '&a x',
  '&b [1]',
  '!!str 1',
  '!!int "1"',
  '!!float 1',
  '!!binary aGVsbG8=',
  '!!binary a',
  '!local x',
  '! 1',
  '!<tag:yaml.org,2002:str> 1',
  '!!timestamp x',
  '|\n  block\n  text',
  '|-\n  a\n\n',
  '>+\n  a\n  b\n\n   c\n\n',
  '>2\n   x',
  '|0\n a',
  '@a',
  '`',
  '%',
  '- x',
  '? x',
  '[1, two, {a: b}]',
  '[a: b, ? c : d, e]',
  '{a, b: c, ? d, "e":f}',
  '[',
  '}',
  '{a: [}',
  '\t',
  '\u00e9\u2028x',
  '',
];
const keys = ['a', 'b', '"c"', '1', '1.5', 'true', '<<', '? [x]', '&a k', '*a', '[x]', 'e f', ''];
const noise = [
  ':',
  ' ',
  '\n',
  '-',
  '"',
  "'",
  '[',
  ']',
  '{',
  '}',
  ',',
  '#',
  '&',
  '*',
  '!',
  '|',
  '>',
  '?',
  '\t',
  '%',
  'x',
  '\r\n',
];
const documents = [
  '',
  '---\n',
  '%YAML 1.1\n---\n',
  '%TAG !e! tag:e.com,2000:\n---\n',
  '# comment\n',
  '\ufeff',
  '...\n',
];

/** Returns a text that is nearly YAML. */
export function randomYaml(random: Random): string {
  let text = random.chance(0.25) ? random.pick(documents) : '';
  text += block(random, 0, 3);
  if (random.chance(0.1)) text += `${random.pick(documents)}${block(random, 0, 1)}`;
  for (let count = random.chance(0.5) ? random.below(4) : 0; count > 0; count--) {
    const at = random.below(text.length + 1);
    const kept = random.chance(0.5) ? at : at + random.below(3);
    text = text.slice(0, at) + (random.chance(0.7) ? random.pick(noise) : '') + text.slice(kept);
  }
  return text;
}

function block(random: Random, indent: number, depth: number): string {
  const padding = ' '.repeat(indent);
  const kind = depth === 0 ? 0 : random.below(3);
  if (kind === 0) return `${padding}${random.pick(scalars).replaceAll('\n', `\n${padding}`)}\n`;
  const items = Array.from({ length: 1 + random.below(3) }, () => {
    const step = random.pick([1, 2, 2, 2, 4]);
    const start = kind === 1 ? `${padding}-` : `${padding}${random.pick(keys)}:`;
    if (random.chance(0.5)) {
      const inner = ' '.repeat(indent + step);
      return `${start} ${random.pick(scalars).replaceAll('\n', `\n${inner}`)}\n`;
    }
    const nested = block(random, indent + (kind === 2 && random.chance(0.2) ? 0 : step), depth - 1);
    if (random.chance(0.15)) return `${start} ${nested.trimStart()}`;
    return `${start}${random.chance(0.1) ? ' &a' : ''}\n${nested}`;
  });
  return items.join('');
}
