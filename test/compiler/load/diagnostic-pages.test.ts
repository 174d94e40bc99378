import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { decodeText } from '../../../src/compiler/load/decode-text.ts';
import { diagnosticsAsText } from '../../../src/compiler/report/text/text.ts';
import { loadText } from './load-text.ts';

const folder = path.resolve(import.meta.dirname, '../../../docs/diagnostics');
const page = (code: string): string => readFileSync(path.join(folder, `${code}.md`), 'utf8');

/** The blocks of code of a page, in order. */
function blocks(code: string): { language: string; text: string }[] {
  return [...page(code).matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
}

const withoutSummary = (printed: string): string => printed.replace(/\n\n[^\n]*\n$/, '\n');

/** The pages that show what provokes their diagnostic. The others cannot: aliases by the thousand, bytes, odd characters, a setting. */
const shown = readdirSync(folder)
  .filter((name) => /^FW1\d{3}\.md$/.test(name))
  .map((name) => name.replace('.md', ''))
  .filter((code) => !['FW1006', 'FW1012', 'FW1013', 'FW1014', 'FW1016'].includes(code));

test.each(shown)('the page of %s shows the printed output', (code) => {
  const [example, printed] = blocks(code);
  expect(withoutSummary(loadText(example?.text ?? '', `app.${example?.language}`).printed)).toBe(
    printed?.text,
  );
});

test('FW1006 is printed as on its page', () => {
  const levels = Array.from(
    { length: 8 },
    (_, i) => `l${i}: &l${i} [${Array.from({ length: 10 }, () => (i === 0 ? 'x' : `*l${i - 1}`)).join()}]`,
  );
  expect(loadText(levels.join('\n')).printed.split('\n')[0]).toBe(blocks('FW1006')[0]?.text.trim());
});

test.each([
  ['FW1012', '\u0001'],
  ['FW1014', '\u2028'],
])('%s is printed as on its page', (code, character) => {
  const text = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: note\ndata:\n  text: one${character}two\n`;
  expect(withoutSummary(loadText(text).printed)).toBe(blocks(code)[0]?.text);
});

test('FW1013 is printed as on its page', () => {
  const bytes = Buffer.from('name: notes\nowner: Zo\xeb\n', 'latin1');
  const { diagnostics } = decodeText('notes.yaml', bytes);
  const textOf = (): string => new TextDecoder().decode(bytes);
  expect(withoutSummary(diagnosticsAsText(diagnostics, { textOf }))).toBe(blocks('FW1013')[0]?.text);
});
