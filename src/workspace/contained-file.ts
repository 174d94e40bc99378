import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Whether links lead from a path in the repository to one outside of it. A pull request can have links to any file of the machine,
 * and messages about a file print parts of it. A path outside of the repository is the choice of the user. A path that does not
 * exist leads nowhere.
 *
 * @param file - an absolute path
 */
export async function leavesRepository(file: string): Promise<boolean> {
  const top = await repositoryAround(path.dirname(file));
  if (top === undefined) return false;
  const [place, realTop] = await Promise.all([realpath(file).catch(() => undefined), realpath(top)]);
  return place !== undefined && place !== realTop && !place.startsWith(`${realTop}${path.sep}`);
}

/** Returns the nearest folder with `.git` around a folder, by the names in its path; undefined if there is none. */
async function repositoryAround(folder: string): Promise<string | undefined> {
  const hasGit = await stat(path.join(folder, '.git')).then(
    () => true,
    () => false,
  );
  if (hasGit) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : await repositoryAround(parent);
}
