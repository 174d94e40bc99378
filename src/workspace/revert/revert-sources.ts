import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { git, type Repository } from '../git.ts';
import { UserError } from '../user-error.ts';
import type { RevertedCommit } from './reverted-commits.ts';

/** The files of a workspace that a revert leaves as they are. */
export interface RevertScope {
  /** The top of the workspace, relative to that of the repository; empty if they are the same. */
  readonly workspace: string;
  /** The folders that `synth` writes, relative to the top of the repository. */
  readonly outputs: readonly string[];
  readonly promotions: StatefulFiles;
}

/** YAML files with a state that a command writes. A revert leaves the state as it is. */
export interface StatefulFiles {
  /** The folder of the files, relative to the top of the repository. */
  readonly folder: string;
  /** Whether two texts of a file differ in the state only. */
  readonly haveSameSpecification: (one: string, other: string) => boolean;
  /** Returns `text` with the state of `current`; undefined if that is not valid or has none. */
  readonly withStateOf: (current: string, text: string, file: string) => string | undefined;
}

/** The result of a revert in the working tree and the index. */
export interface RevertedSources {
  /** The reverted files, relative to the top of the repository. */
  readonly files: readonly string[];
  /** The number of files outside of the workspace that the commits change and that are not reverted. */
  readonly outside: number;
}

/**
 * Reverts commits in the working tree and the index, without their changes of outputs, of the state of promotions, and outside of the
 * workspace. If files conflict, everything is as before.
 *
 * @throws UserError if files conflict, or nothing is left to revert.
 */
export async function revertSources(
  { root }: Repository,
  commits: readonly RevertedCommit[],
  scope: RevertScope,
): Promise<RevertedSources> {
  let outside = 0;
  try {
    for (const each of commits) {
      const changed = await changedBetween(root, each.parent, each.commit);
      const kept: string[] = [];
      for (const file of changed) {
        const isOutside = !isBelow(file, scope.workspace);
        if (isOutside) outside += 1;
        if (isOutside || isOutput(file, scope) || (await isPromotionState(root, file, each, scope)))
          kept.push(file);
      }
      await revertOne(root, each, kept);
      await keepStates(root, changed, kept, scope);
    }
    const files = await changedSince(root, 'HEAD');
    if (files.length > 0) return { files, outside };
  } catch (error) {
    await restoreHead(root);
    throw error;
  }
  await restoreHead(root);
  const name = commits.length === 1 ? 'the commit' : 'the commits';
  throw new UserError(
    `the sources of this workspace are already as they were before ${name}`,
    outside > 0
      ? `${name} changes files outside of the workspace only: use git revert`
      : 'dist/ is compiled from the sources: fleetwright synth updates it',
  );
}

/** Discards all changes of the working tree, including new files. It was clean before. */
export async function restoreHead(root: string): Promise<void> {
  await git(root, ['add', '--all']);
  await git(root, ['reset', '--quiet', '--hard', 'HEAD']);
}

/** Returns the files that are not committed. */
export async function dirtyFiles(root: string): Promise<readonly string[]> {
  const answer = await git(root, ['status', '--porcelain', '--no-renames', '-z']);
  return answer.split('\0').flatMap((entry) => (entry === '' ? [] : [entry.slice(3)]));
}

async function revertOne(
  root: string,
  { commit, mainline }: RevertedCommit,
  kept: readonly string[],
): Promise<void> {
  const choice = mainline === undefined ? [] : ['--mainline', String(mainline)];
  let message = '';
  try {
    await git(root, ['-c', 'core.editor=true', 'revert', '--no-commit', ...choice, commit]);
  } catch (error) {
    if (error instanceof UserError) throw error;
    message = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
  }
  // Conflicts in these files do not count.
  await keepFiles(root, kept);
  const unmerged = await git(root, ['diff', '--name-only', '--diff-filter=U', '-z']);
  const conflicts = unmerged.split('\0').filter((file) => file !== '');
  await git(root, ['revert', '--quit']);
  if (conflicts.length > 0) {
    const short = commit.slice(0, 12);
    throw new UserError(
      `later commits change the same lines as ${short}: ${conflicts.join(', ')}`,
      `nothing was reverted. Edit the files by hand, then run fleetwright synth and commit; git show ${short} shows the change`,
    );
  }
  if (message !== '' && !message.includes('could not revert'))
    throw new UserError(`git cannot revert ${commit.slice(0, 12)}: ${message.split('\n')[0] ?? ''}`);
}

/** Restores files, in the index too, as they are in the last commit. */
async function keepFiles(root: string, files: readonly string[]): Promise<void> {
  if (files.length === 0) return;
  const inHead = new Set(
    (await git(root, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', 'HEAD'])).split('\0'),
  );
  // The command line has a limit.
  for (let start = 0; start < files.length; start += 500) {
    const some = files.slice(start, start + 500);
    const present = some.filter((file) => inHead.has(file));
    const absent = some.filter((file) => !inHead.has(file));
    if (present.length > 0)
      await git(root, ['--literal-pathspecs', 'checkout', '--quiet', 'HEAD', '--', ...present]);
    if (absent.length > 0)
      await git(root, ['--literal-pathspecs', 'rm', '--quiet', '-f', '--ignore-unmatch', '--', ...absent]);
  }
}

/** Whether a commit changes only the state of a promotion in a file: `promote` writes it, and knows how to roll it back. */
async function isPromotionState(
  root: string,
  file: string,
  { parent, commit }: RevertedCommit,
  { promotions }: RevertScope,
): Promise<boolean> {
  if (!isBelow(file, promotions.folder) || !file.endsWith('.yaml')) return false;
  const [before, after] = await Promise.all([parent, commit].map((each) => textIn(root, each, file)));
  return before !== undefined && after !== undefined && promotions.haveSameSpecification(before, after);
}

/** Gives promotion files whose specification is reverted the state that they have now. */
async function keepStates(
  root: string,
  changed: readonly string[],
  kept: readonly string[],
  { promotions }: RevertScope,
): Promise<void> {
  for (const file of changed) {
    if (kept.includes(file) || !isBelow(file, promotions.folder) || !file.endsWith('.yaml')) continue;
    const [now, reverted] = await Promise.all([
      textIn(root, 'HEAD', file),
      readFile(path.join(root, file), 'utf8').catch(() => undefined),
    ]);
    if (now === undefined || reverted === undefined) continue;
    const text = promotions.withStateOf(now, reverted, file);
    if (text === undefined) continue;
    await writeFile(path.join(root, file), text);
    await git(root, ['--literal-pathspecs', 'add', '--', file]);
  }
}

async function textIn(root: string, commit: string, file: string): Promise<string | undefined> {
  return await git(root, ['show', `${commit}:${file}`]).catch(() => undefined);
}

async function changedBetween(root: string, from: string, to: string): Promise<readonly string[]> {
  const answer = await git(root, ['diff', '--name-only', '--no-renames', '-z', from, to]);
  return answer.split('\0').filter((file) => file !== '');
}

async function changedSince(root: string, commit: string): Promise<readonly string[]> {
  const answer = await git(root, ['diff', '--cached', '--name-only', '--no-renames', '-z', commit]);
  return answer.split('\0').filter((file) => file !== '');
}

function isOutput(file: string, { outputs }: RevertScope): boolean {
  return outputs.some((folder) => isBelow(file, folder));
}

function isBelow(file: string, folder: string): boolean {
  return folder === '' || file === folder || file.startsWith(`${folder}/`);
}
