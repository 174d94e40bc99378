import path from 'node:path';
import { readCommitted } from '../../workspace/files-in-commit.ts';
import { git } from '../../workspace/git.ts';
import { UserError } from '../../workspace/user-error.ts';

/**
 * Returns when Git got each wave of the release in progress, in milliseconds: the time of the commit on the current branch. For a
 * pull request that is the merge. Waves that are not committed are left out.
 *
 * @param base - the commit before the release
 * @param file - the promotion file
 */
export async function waveStarts(
  folder: string,
  base: string,
  file: string,
): Promise<ReadonlyMap<number, number>> {
  const log = [
    'log',
    '--first-parent',
    '--diff-merges=first-parent',
    '--format=commit %ct',
    '--unified=0',
    '--patch',
    '--no-color',
    '--no-ext-diff',
    '-G^    released: ',
    `${base}..HEAD`,
    '--',
    file,
  ];
  const answer = await git(folder, log).catch(() => {
    throw new UserError(
      `commit ${base.slice(0, 12)}, at which the release began, is not in this repository`,
      'fetch its history: in CI, check it out with fetch-depth: 0',
    );
  });
  const starts = new Map<number, number>();
  let time: number | undefined;
  // The latest commit comes first.
  for (const line of answer.split('\n')) {
    const commit = /^commit (\d+)$/.exec(line)?.[1];
    if (commit !== undefined) time = Number(commit) * 1000;
    const released = /^\+ {4}released: (\d+)$/.exec(line)?.[1];
    if (released !== undefined && time !== undefined && !starts.has(Number(released)))
      starts.set(Number(released), time);
  }
  return starts;
}

/** Returns the committed text of a file; undefined if the last commit does not have it. */
export async function committedText(file: string): Promise<string | undefined> {
  const name = path.basename(file);
  return (await readCommitted(path.dirname(file), [name])).get(name);
}
