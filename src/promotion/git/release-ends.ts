import path from 'node:path';
import { load } from '../../compiler/index.ts';
import type { Promotion } from '../decide/promotion.ts';
import { readCommitted } from '../../workspace/files-in-commit.ts';
import { findRepository, git } from '../../workspace/git.ts';

/** Promotion files, wherever the workspace was in the repository: a rename must not hide that a release ended. */
const promotionFiles = ':(top,glob)**/promotions/**/*.yaml';

/**
 * Returns the commits in the history of HEAD that ended a release of a hash: completed it, superseded it or rolled it back. All of
 * their parents have the release in progress, and they have not.
 *
 * @param root - the workspace
 * @param file - the promotion file, relative to the workspace
 */
export async function endsOfRelease(root: string, file: string, hash: string): Promise<readonly string[]> {
  const repository = await findRepository(root);
  const own = path.posix.join(repository.prefix, file.split(path.sep).join('/'));
  const present = (await git(repository.root, ['ls-files', '-z', '--', promotionFiles])).split('\0');
  // Another app or hub that has a promotion now may have a release of the same hash.
  const others = new Set(present.filter((name) => name !== own));
  const ends: string[] = [];
  for (const { commit, parents, names } of await changesOf(repository.root, hash)) {
    const files = [...names].filter((name) => !others.has(name));
    const hasRelease = async (revision: string): Promise<boolean> =>
      await isInProgress(repository.root, revision, files, hash);
    const before = await Promise.all(parents.map(hasRelease));
    if (before.length > 0 && before.every(Boolean) && !(await hasRelease(commit))) ends.push(commit);
  }
  return ends;
}

interface Change {
  readonly commit: string;
  readonly parents: readonly string[];
  /** The promotion files that it changes, relative to the top of the repository. */
  readonly names: Set<string>;
}

/** Returns the commits that change a line with a hash in a promotion file. */
async function changesOf(top: string, hash: string): Promise<Iterable<Change>> {
  const log = ['log', '--full-history', '-m', '--name-only', '--no-renames', '-z', `-G${hash}`];
  const answer = await git(top, [...log, '--format=%x01%H %P%x02', 'HEAD', '--', promotionFiles]);
  const changes = new Map<string, Change>();
  // A merge is listed once per parent.
  for (const entry of answer.split('\u0001').slice(1)) {
    const [head = '', files = ''] = entry.split('\u0002');
    const [commit = '', ...parents] = head.split(' ').filter((each) => each !== '');
    const change = changes.get(commit) ?? { commit, parents, names: new Set<string>() };
    changes.set(commit, change);
    for (const name of files.split('\0')) if (name.trim() !== '') change.names.add(name.trim());
  }
  return changes.values();
}

/** Whether a commit is in the history of another one, or is the same. */
export async function isAncestor(root: string, commit: string, other: string): Promise<boolean> {
  const base = await git(root, ['merge-base', commit, other]).catch(() => '');
  return base.trim() === commit;
}

async function isInProgress(
  top: string,
  commit: string,
  files: readonly string[],
  hash: string,
): Promise<boolean> {
  const texts = await readCommitted(top, files, commit);
  return [...texts.values()].some((text) => {
    if (!text.includes(hash)) return false;
    const [loaded] = load([{ file: '', text, source: 'app' }]).value;
    const { status } = (loaded?.object ?? {}) as Partial<Promotion>;
    return status?.release?.hash === hash;
  });
}
