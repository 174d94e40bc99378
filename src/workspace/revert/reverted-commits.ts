import { findCommit, git, type Repository } from '../git.ts';
import { UserError } from '../user-error.ts';

/** A commit to revert. */
export interface RevertedCommit {
  readonly commit: string;
  readonly subject: string;
  /** The parent whose state is restored. */
  readonly parent: string;
  /** The number of that parent, from 1, if the commit is a merge. */
  readonly mainline?: number;
}

/**
 * Returns the commits of a revision, or of a range `BASE..HEAD`, the latest first. A range is followed along the first parents, so a
 * merge in it includes all that it merged.
 *
 * @param mainline - the number of the parent of a merge whose state is restored, from 1
 * @throws UserError if a revision is unknown or not part of the current branch, or if a merge has no mainline.
 */
export async function revertedCommits(
  repository: Repository,
  revision: string,
  mainline: number | undefined,
): Promise<readonly RevertedCommit[]> {
  const { root } = repository;
  const [, from, to = ''] = /^(.*?)\.\.(.*)$/.exec(revision) ?? [];
  if (revision.includes('...'))
    throw new UserError(`${revision} is not a range of one branch`, 'write BASE..HEAD, with two dots');
  const last = await findCommit(repository, from === undefined ? revision : to === '' ? 'HEAD' : to);
  if (!(await isAncestor(root, last, 'HEAD')))
    throw new UserError(
      `${revision} is not part of the current branch`,
      'only a commit that the branch contains can be reverted',
    );
  const first = from === undefined ? undefined : await findCommit(repository, from === '' ? 'HEAD' : from);
  const list = await git(root, [
    'rev-list',
    '--first-parent',
    ...(first === undefined ? ['--max-count=1', last] : [`${first}..${last}`]),
  ]);
  const commits = list.split('\n').filter((line) => line !== '');
  if (commits.length === 0)
    throw new UserError(`${revision} has no commits`, 'the later revision comes last: BASE..HEAD');
  const reverted: RevertedCommit[] = [];
  for (const commit of commits) reverted.push(await revertedCommit(root, commit, mainline));
  if (mainline !== undefined && reverted.every((each) => each.mainline === undefined))
    throw new UserError(`${revision} is not a merge`, 'omit --mainline');
  return reverted;
}

async function revertedCommit(
  root: string,
  commit: string,
  mainline: number | undefined,
): Promise<RevertedCommit> {
  const [parents = '', subject = ''] = (await git(root, ['log', '-1', '--format=%P%n%s', commit])).split(
    '\n',
  );
  const all = parents.split(' ').filter((each) => each !== '');
  const [parent] = all;
  const name = `${commit.slice(0, 12)} (${subject})`;
  if (parent === undefined)
    throw new UserError(
      `${name} is the first commit in this repository`,
      'if the repository is a shallow clone, fetch its history: git fetch --unshallow',
    );
  if (all.length === 1) return { commit, subject, parent };
  if (mainline === undefined) {
    const choices = await Promise.all(
      all.map(async (each, index) => {
        const title = (await git(root, ['log', '-1', '--format=%h %s', each])).trim();
        return `--mainline ${index + 1} restores the state of ${title}`;
      }),
    );
    throw new UserError(
      `${name} is a merge, so the state before it is that of one parent`,
      choices.join('\n  '),
    );
  }
  const chosen = all[mainline - 1];
  if (chosen === undefined)
    throw new UserError(`${name} has ${all.length} parents, and no parent ${mainline}`, 'the first one is 1');
  return { commit, subject, parent: chosen, mainline };
}

async function isAncestor(root: string, commit: string, other: string): Promise<boolean> {
  return await git(root, ['merge-base', '--is-ancestor', commit, other]).then(
    () => true,
    () => false,
  );
}
