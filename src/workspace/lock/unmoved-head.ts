import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { DiagnosedError } from '../diagnosed-error.ts';
import { git } from '../git.ts';
import { headCommit } from '../git-commits.ts';

/**
 * Verifies that the commit that a run began with is still checked out. Other programs, such as `git pull`, do not know the lock of a
 * run.
 *
 * @param command - the command of the run
 * @throws DiagnosedError if HEAD has moved
 */
export async function requireHead(root: string, commit: string, command: string): Promise<void> {
  const head = await headCommit(root);
  if (head !== commit) throw movedHead(commit, head, command);
}

/**
 * Verifies that the commit of HEAD directly follows the one that a run began with, and otherwise removes it from the branch.
 *
 * @param command - the command of the run
 * @throws DiagnosedError if another commit came in between
 */
export async function requireChild(root: string, commit: string, command: string): Promise<void> {
  const [own = '', parent = ''] = (await git(root, ['rev-parse', 'HEAD', 'HEAD^'])).split('\n');
  if (parent === commit) return;
  // Only if HEAD is still the same.
  await git(root, ['update-ref', '-m', `${command}: withdraw`, 'HEAD', parent, own]);
  throw movedHead(commit, parent, command);
}

function movedHead(commit: string, head: string, command: string): DiagnosedError {
  return new DiagnosedError(
    diagnostic('FW9131', {
      message: `HEAD moved from ${commit.slice(0, 12)} to ${head.slice(0, 12)} during the run, so its result is outdated; nothing was committed`,
      hint: `run ${command} again`,
    }),
  );
}
