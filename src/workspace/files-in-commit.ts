import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { groupBy } from '../base/collections/groups.ts';
import { readGitObjects, topOfRepository, withoutGitVariables, type GitObject } from './git-objects.ts';

/**
 * Returns the texts of files in a commit, by name relative to `folder`. Leaves out files that the commit does not have. The
 * result is empty if there is no repository, no such commit, or no git.
 *
 * @param commit - by default the last one of the current branch
 */
export async function readCommitted(
  folder: string,
  files: readonly string[],
  commit = 'HEAD',
): Promise<ReadonlyMap<string, string>> {
  if (files.length === 0) return new Map();
  // Git may have files of a folder that is missing in the working tree.
  const existing = await existingAncestor(folder);
  const place = path.join(await realpath(existing), path.relative(existing, folder));
  const top = await topOfRepository(place);
  if (top === undefined) return new Map();
  const prefix = path.relative(top, place).split(path.sep).join('/');
  const read: ReadObjects = async (names) => (await readGitObjects(top, names, withoutGitVariables())) ?? [];
  const texts = new Map<string, string>();
  for (const [parent, ofParent] of groupBy(files, (file) => path.posix.dirname(file))) {
    const tree = `${commit}:${path.posix.join(prefix, parent).replace(/^\.$/, '')}`;
    const ids = ofParent.length > mostLookups ? await idsIn(tree, read) : undefined;
    const requested =
      ids === undefined ? ofParent : ofParent.filter((file) => ids.has(path.posix.basename(file)));
    const objects = await read(
      requested.map(
        (file) => ids?.get(path.posix.basename(file)) ?? `${commit}:${path.posix.join(prefix, file)}`,
      ),
    );
    for (const [index, object] of objects.entries())
      if (object?.type === 'blob') texts.set(requested[index] ?? '', object.content.toString('utf8'));
  }
  return texts;
}

type ReadObjects = (names: readonly string[]) => Promise<readonly (GitObject | undefined)[]>;

/** Git reads the whole folder for each file that is requested by its path. */
const mostLookups = 50;

/** Returns the ids of what a folder has, by name. */
async function idsIn(tree: string, read: ReadObjects): Promise<ReadonlyMap<string, string>> {
  const [object] = await read([tree]);
  const ids = new Map<string, string>();
  if (object?.type !== 'tree') return ids;
  const { content, id } = object;
  // Each entry is the mode, a space, the name, a zero and the bytes of the id.
  const idLength = id.length / 2;
  for (let position = 0; position < content.length;) {
    const zero = content.indexOf(0, position);
    const name = content.toString('utf8', content.indexOf(' ', position) + 1, zero);
    ids.set(name, content.toString('hex', zero + 1, zero + 1 + idLength));
    position = zero + 1 + idLength;
  }
  return ids;
}

async function existingAncestor(folder: string): Promise<string> {
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  const parent = path.dirname(folder);
  return isFolder || parent === folder ? folder : await existingAncestor(parent);
}
