import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Diagnostic } from '../../compiler/index.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { counted } from '../../compiler/model/words.ts';
import type { BaseRevision } from '../base-revision.ts';
import type { OutputFolder } from './compile-app.ts';
import { conflictLine } from './conflict-markers.ts';
import { outputsOf, type EarlierOutput } from './earlier-output.ts';
import { ownershipFile, readOwnership } from './output-folder.ts';

/** The output of an app as it has to be, beside the folder that has it. */
export interface ExpectedOutput extends Pick<OutputFolder, 'tree' | 'memory'> {
  readonly name: string;
  /** Relative to the working folder. */
  readonly folder: string;
  readonly earlier: EarlierOutput | undefined;
}

/**
 * Reports what a merge, a revert or an editor did to an output, by name: conflict markers, objects of the base that are lost, and
 * files whose text is neither that of the base nor what the app produces. The comparison of the folder reports what is outdated in other ways.
 *
 * @param reverted - the subject of the reverted commit, if the last commit is a revert
 */
export async function outputFaults(
  { name, folder, tree, memory, earlier }: ExpectedOutput,
  base: BaseRevision,
  { cwd, reverted }: { readonly cwd: string; readonly reverted: string | undefined },
): Promise<readonly Diagnostic[]> {
  const conflicts = await conflictsIn(path.resolve(cwd, folder));
  const remedy = remedyOf(base);
  if (conflicts.size > 0)
    return [...conflicts].map(([file, line]) =>
      diagnostic('FW9150', {
        message: `${folder}/${file} has the conflict markers of a merge`,
        location: { file: path.join(folder, file), line, column: 1 },
        hint: `do not edit it: resolve the conflicts in the sources of app "${name}", then ${remedy}`,
      }),
    );
  const kept = new Set([
    ...Object.values(memory.revisions ?? {}).flatMap(([, ...past]) => past),
    ...Object.values(memory.removed ?? {}).flat(),
  ]);
  const lost: string[] = [];
  const edited: string[] = [];
  const others = earlier === undefined ? [] : outputsOf(earlier).slice(1);
  for (const [file, text] of tree) {
    const present = await readFile(path.resolve(cwd, folder, file), 'utf8').catch(() => undefined);
    if (present === text) continue;
    if (present === undefined) {
      if (kept.has(path.basename(file))) lost.push(file);
      continue;
    }
    const before = await Promise.all(others.map(async ({ read }) => (await read([file])).get(file)));
    if (before.some((each) => each !== undefined) && !before.includes(present)) edited.push(file);
  }
  const faults: Diagnostic[] = [];
  if (lost.length > 0) faults.push(lostFault(folder, lost, { base, reverted, remedy }));
  if (edited.length > 0)
    faults.push(
      diagnostic('FW9153', {
        message: `${listed(edited.map((file) => `${folder}/${file}`))} changed since the base, but not to what app "${name}" produces: edited by hand, or merged from two outputs`,
        location: { file: path.join(folder, edited[0] ?? ''), line: 1, column: 1 },
        hint: `change the sources in the app instead, then ${remedy}`,
      }),
    );
  return faults;
}

/** Reports objects of the base that an output no longer has and that clusters may use. */
export function lostFault(
  folder: string,
  lost: readonly string[],
  {
    base,
    reverted,
    remedy = remedyOf(base),
  }: { readonly base: BaseRevision; readonly reverted: string | undefined; readonly remedy?: string },
): Diagnostic {
  const files = listed(lost.map((file) => `${folder}/${file}`));
  const since = base.name === undefined ? 'an earlier commit' : `the base ${base.name}`;
  const message =
    reverted === undefined
      ? `${files} ${lost.length === 1 ? 'is' : 'are'} missing: ${since} has ${lost.length === 1 ? 'it' : 'them'}, and clusters may still use ${lost.length === 1 ? 'it' : 'them'}`
      : `the revert of "${reverted}" also reverted the output: ${files} ${lost.length === 1 ? 'is' : 'are'} missing, and clusters may still use ${lost.length === 1 ? 'it' : 'them'}`;
  return diagnostic(reverted === undefined ? 'FW9151' : 'FW9154', {
    message,
    location: { file: path.join(folder, ownershipFile), line: 1, column: 1 },
    hint: remedy,
  });
}

/** Reports that the base is not known. `synth` without `--check` uses the last commit instead. */
export function unknownBase({ unknown }: BaseRevision): readonly Diagnostic[] {
  if (unknown === undefined) return [];
  return [
    diagnostic('FW9152', {
      message: `the output cannot be compared with what it has to keep: ${unknown.reason}`,
      hint: unknown.hint,
    }),
  ];
}

/** Returns the files of an output that have conflict markers, with the line of the first one. */
export async function conflictsIn(folder: string): Promise<ReadonlyMap<string, number>> {
  const conflicts = new Map<string, number>();
  const { files } = readOwnership(folder);
  for (const file of [...files, ownershipFile]) {
    const text = await readFile(path.join(folder, file), 'utf8').catch(() => '');
    const line = conflictLine(text);
    if (line !== undefined) conflicts.set(file, line);
  }
  return conflicts;
}

function remedyOf({ name }: BaseRevision): string {
  const option = name === undefined || name.startsWith('HEAD') || name === 'origin' ? '' : ` --base ${name}`;
  return `run \`fleetwright synth${option}\` and commit its output`;
}

function listed(files: readonly string[]): string {
  const [first = ''] = files;
  return files.length === 1 ? first : `${first} and ${counted(files.length - 1, 'more file')}`;
}
