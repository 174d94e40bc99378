import path from 'node:path';
import type { Comparison, Row } from './play.ts';

/** How many characters of a value are shown. */
const shown = 120;

/** Prints as Markdown what a hub answers otherwise than predicted, one row a case with its first difference. */
export function printTable(
  { played, agreed, rows, found }: Comparison,
  { release, versions }: { readonly release: string; readonly versions: Readonly<Record<string, string>> },
): string {
  const modules = Object.entries(versions).map(([module, version]) => `${module} ${version}`);
  const summary = `${agreed} of ${played} cases are answered as predicted for OCM ${release}.\n\nThe hub: ${modules.join(', ')}\n`;
  if (rows.length === 0) return summary;
  const lines = rows.map((row) => `${printRow(row)}\n`).join('');
  const saved = rows.some(({ name, kind }) => kind === 'differs' && name.includes(' seed '))
    ? `\nThe scenarios of seeds are in ${path.relative('.', found)}.\n`
    : '';
  return `${summary}\n| case | differences | the first at | hub | predicted |\n| --- | --- | --- | --- | --- |\n${lines}${saved}`;
}

/** Prints the row of a table. */
export function printRow(row: Row): string {
  return `| ${cells(row).join(' | ')} |`;
}

function cells({ name, kind, differences, error }: Row): readonly string[] {
  if (kind === 'failed') return [name, 'could not be played', '', text(error), ''];
  const [first] = differences;
  const count = kind === 'chance' ? `${differences.length}, not each time` : String(differences.length);
  return [name, count, code(first?.at), text(first?.hub), text(first?.compiler)];
}

function text(value: unknown): string {
  return code(value === undefined ? 'absent' : JSON.stringify(value));
}

function code(value = ''): string {
  const short = value.length > shown ? `${value.slice(0, shown)}…` : value;
  return `\`${short.replaceAll('|', '\\|').replaceAll('`', "'")}\``;
}
