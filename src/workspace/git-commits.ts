import path from 'node:path';
import { findRepository, git } from './git.ts';
import { UserError } from './user-error.ts';

/** The commit that is checked out. @throws UserError if there is none */
export async function headCommit(folder: string): Promise<string> {
  const { root } = await findRepository(folder);
  const answer = await git(root, ['rev-parse', '--verify', '--quiet', 'HEAD']).catch(() => '');
  const commit = answer.trim();
  if (commit !== '') return commit;
  throw new UserError('the repository has no commit', 'commit the apps and the output of synth first');
}

/** Returns the files that differ from the last commit, apart from those below some paths. */
export async function uncommittedFiles(
  folder: string,
  except: readonly string[],
): Promise<readonly string[]> {
  const answer = await git(folder, ['status', '--porcelain', '--untracked-files=no', '-z', '--', '.']);
  const { prefix } = await findRepository(folder);
  return answer
    .split('\0')
    .map((entry) => entry.slice(3))
    .filter((name) => name !== '' && !except.some((each) => isBelow(name, path.posix.join(prefix, each))));
}

/** Whether anything differs between two commits, apart from files below some paths. */
export async function differs(
  folder: string,
  [from, to]: readonly [string, string],
  isIgnored: (name: string) => boolean,
): Promise<boolean> {
  const answer = await git(folder, ['diff', '--name-only', '--no-renames', '--relative', '-z', from, to]);
  return answer.split('\0').some((name) => name !== '' && !isIgnored(name));
}

/** Commits some paths, and nothing else that is staged. Returns false if they have no changes. */
export async function commitPaths(
  folder: string,
  paths: readonly string[],
  message: string,
): Promise<boolean> {
  await git(folder, ['add', '--all', '--', ...paths]);
  const staged = await git(folder, ['diff', '--cached', '--name-only', '--', ...paths]);
  if (staged.trim() === '') return false;
  await git(folder, ['commit', '--quiet', '--message', message, '--', ...paths]).catch((error: unknown) => {
    const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    throw new UserError(
      `git cannot commit: ${text.trim().split('\n')[0] ?? ''}`,
      'set user.name and user.email',
    );
  });
  return true;
}

/** Removes the changes of some paths from what the next commit has. The working tree stays as it is. */
export async function unstage(folder: string, paths: readonly string[]): Promise<void> {
  await git(folder, ['reset', '--quiet', '--', ...paths]);
}

function isBelow(name: string, folder: string): boolean {
  return name === folder || name.startsWith(`${folder}/`);
}
