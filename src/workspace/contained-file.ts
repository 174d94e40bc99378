import { realpathSync } from 'node:fs';
import path from 'node:path';
import { existingPath, existingRealPath } from './existing-path.ts';

/**
 * Whether links lead from a path in the repository to one outside of it. A pull request can have links to any file of the machine,
 * and messages about a file print parts of it. A path outside of the repository is the choice of the user. A path that does not
 * exist leads nowhere.
 *
 * @param file - an absolute path
 */
export function leavesRepository(file: string): boolean {
  const top = repositoryAround(path.dirname(file));
  if (top === undefined) return false;
  const [place, realTop] = [existingRealPath(file), realpathSync(top)];
  return place !== undefined && place !== realTop && !place.startsWith(`${realTop}${path.sep}`);
}

/** Returns the nearest folder with `.git` around a folder, by the names in its path; undefined if there is none. */
function repositoryAround(folder: string): string | undefined {
  if (existingPath(path.join(folder, '.git')) !== undefined) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : repositoryAround(parent);
}
