import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import { createFiles, existingFiles, type NewFiles } from '../../../workspace/output/create-files.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/**
 * Adds the files of a workspace to a repository that exists. Existing files stay: lines are added to .gitignore and .gitattributes,
 * and missing fields to package.json. What else differs is printed, with the text that the user must merge.
 *
 * @param folder - the repository
 * @param shownFolder - as the user named it
 */
export async function adopt(
  folder: string,
  shownFolder: string,
  files: NewFiles,
  terminal: Terminal,
): Promise<ExitCode> {
  const shown = (name: string): string => path.join(shownFolder, name);
  const existing = new Set(await existingFiles(folder, files));
  const merged = new Map<string, string>();
  const kept: string[] = [];
  const toMerge = new Map<string, string>();
  const conflicts: string[] = [];
  for (const [name, content] of files) {
    if (!existing.has(name)) continue;
    const before = await readFile(path.join(folder, name), 'utf8');
    const wanted = String(content);
    if (name === 'package.json') {
      const { text, different } = mergedManifest(before, wanted, shown(name));
      if (text !== before) merged.set(name, text);
      conflicts.push(...different.map((line) => `${shown(name)}: ${line}`));
    } else if (name === '.gitignore' || name === '.gitattributes') {
      const text = withLines(before, wanted);
      if (text !== before) merged.set(name, text);
    } else {
      kept.push(name);
      // The page of the repository describes another one.
      if (before !== wanted && name !== 'README.md') toMerge.set(name, wanted);
    }
  }
  const created = new Map([...files].filter(([name]) => !existing.has(name)));
  try {
    await createFiles(folder, created);
    for (const [name, text] of merged) await writeFile(path.join(folder, name), text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`${shownFolder} cannot be written: ${reason}`);
  }
  for (const name of created.keys()) terminal.out(`${shown(name)}\n`);
  for (const name of merged.keys()) terminal.out(`${shown(name)}, merged\n`);
  for (const name of kept) terminal.out(`${shown(name)}, kept as it is\n`);
  if (conflicts.length > 0)
    terminal.out(`\nNot changed, compare them:\n${conflicts.map((line) => `  ${line}\n`).join('')}`);
  for (const [name, text] of toMerge)
    terminal.out(`\n${shown(name)} exists, so merge this into it:\n${text.replaceAll(/^(?=.)/gm, '  ')}`);
  terminal.out(
    '\nNext steps:\n  npm install\n  fleetwright import FOLDER --out apps/NAME, or mkdir -p apps && git mv FOLDER apps/NAME\n  fleetwright fleet pull\n  fleetwright synth\n  fleetwright doctor\n',
  );
  return exitCode.clean;
}

/** Adds the lines that a text does not have. */
function withLines(before: string, wanted: string): string {
  const present = new Set(before.split(/\r?\n/).map((line) => line.trim().replace(/^\/|\/$/g, '')));
  const missing = wanted
    .split('\n')
    .filter((line) => line !== '' && !present.has(line.replace(/^\/|\/$/g, '')));
  if (missing.length === 0) return before;
  const end = before === '' || before.endsWith('\n') ? '' : '\n';
  return `${before}${end}${missing.join('\n')}\n`;
}

/** Adds the fields that a package.json does not have, two levels deep, and returns the fields with another value. */
function mergedManifest(
  before: string,
  wanted: string,
  file: string,
): { readonly text: string; readonly different: readonly string[] } {
  let manifest: unknown;
  try {
    manifest = JSON.parse(before);
  } catch (error) {
    throw new UserError(
      `${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`,
      'nothing was written',
    );
  }
  if (!isJsonMap(manifest)) throw new UserError(`${file} is not a JSON object`, 'nothing was written');
  const merged: Record<string, unknown> = { ...manifest };
  const different: string[] = [];
  for (const [field, value] of Object.entries(JSON.parse(wanted) as JsonMap)) {
    // The repository is a package already, or none that is published.
    if (field === 'name' || field === 'private') continue;
    const present = merged[field];
    if (present === undefined) merged[field] = value;
    else if (isJsonMap(present) && isJsonMap(value)) {
      merged[field] = { ...value, ...present };
      for (const [key, item] of Object.entries(value))
        if (present[key] !== undefined && present[key] !== item)
          different.push(
            `${field}.${key} is ${JSON.stringify(present[key])}, init has ${JSON.stringify(item)}`,
          );
    } else if (JSON.stringify(present) !== JSON.stringify(value))
      different.push(`${field} is ${JSON.stringify(present)}, init has ${JSON.stringify(value)}`);
  }
  const indent = /^\{\r?\n([ \t]+)/.exec(before)?.[1] ?? '  ';
  const text = `${JSON.stringify(merged, null, indent)}\n`;
  return { text: JSON.stringify(merged) === JSON.stringify(manifest) ? before : text, different };
}
