import { constants, copyFile, link, lstat, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Files by their names relative to a folder, with slashes. */
export type NewFiles = ReadonlyMap<string, string | Uint8Array>;

/**
 * Returns the files that already exist in the folder, or whose path contains an existing file where a folder is
 * needed.
 */
export async function existingFiles(folder: string, files: NewFiles): Promise<string[]> {
  const existing = new Set<string>();
  for (const name of files.keys()) {
    const parts = name.split('/');
    for (let depth = 1; depth <= parts.length; depth++) {
      const part = parts.slice(0, depth).join('/');
      const stats = await lstat(path.join(folder, part)).catch(() => undefined);
      if (stats === undefined) break;
      // With a linked folder, the files would be written elsewhere.
      if (depth === parts.length || !stats.isDirectory()) existing.add(part);
    }
  }
  return [...existing];
}

/**
 * Writes files into a folder, all of them or none: first to temporary names, then each to its path. A file that was
 * created in the meantime is never replaced.
 *
 * @throws the error of the file system, after all written files are removed.
 */
export async function createFiles(folder: string, files: NewFiles): Promise<void> {
  const created: string[] = [];
  let complete = false;
  try {
    await makeFolder(folder, created);
    const aside = await mkdtemp(path.join(folder, '.fleetwright-'));
    try {
      const movedFiles: (readonly [from: string, to: string])[] = [];
      for (const [name, content] of files) {
        const from = path.join(aside, String(movedFiles.length));
        await writeFile(from, content);
        movedFiles.push([from, path.join(folder, name)]);
      }
      for (const [from, to] of movedFiles) {
        await makeFolder(path.dirname(to), created);
        await place(from, to);
        created.push(to);
      }
      complete = true;
    } finally {
      await rm(aside, { recursive: true, force: true });
    }
  } finally {
    if (!complete) for (const name of created.toReversed()) await rm(name, { recursive: true, force: true });
  }
}

/** Records the highest folder that did not exist. */
async function makeFolder(folder: string, created: string[]): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first !== undefined) created.push(first);
}

/** Fails if the name exists; a rename would replace the existing file. */
async function place(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error;
    // The file system has no hard links.
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
}
