import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { git } from '../git.ts';

/**
 * Returns the folders and links with the name `node_modules` that Git has, relative to the root. Their content is that of the
 * author of a change, and not what a lock file names.
 *
 * @param links - the links of a revision that was written to `root`. @default - `root` is a working tree
 */
export async function committedPackages(
  root: string,
  links: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (links !== undefined) return committedIn(root, links);
  if (!existsSync(path.join(root, '.git'))) return [];
  const patterns = [':(glob)**/node_modules', ':(glob)**/node_modules/**'];
  const tracked = await git(root, ['ls-files', '-z', '--', ...patterns]).catch(() => '');
  return foldersOf(tracked.split('\0'));
}

function foldersOf(files: readonly string[]): readonly string[] {
  return [...new Set(files.flatMap((file) => /^(?:.*?\/)??node_modules(?=\/|$)/.exec(file)?.[0] ?? []))];
}

/** Returns the folders of packages that the files of a revision have. Those of the working tree are links to it. */
function committedIn(root: string, links: readonly string[]): readonly string[] {
  const committed: string[] = [];
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const place = path.join(folder, entry.name);
      if (entry.name === 'node_modules') {
        if (!links.includes(place)) committed.push(path.relative(root, place));
      } else if (entry.isDirectory()) folders.push(place);
    }
  }
  return committed.sort();
}
