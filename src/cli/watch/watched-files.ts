import path from 'node:path';
import { setImmediate as afterOthers } from 'node:timers/promises';
import { existingEntries, fileState } from '../../workspace/existing-path.ts';
import { lockFolder } from '../../workspace/lock/run-lock.ts';
import { temporaryNamesIn } from '../../workspace/temporary-name.ts';

/** The state of each file: its size, and the times of its last change. */
export type WatchedFiles = ReadonlyMap<string, string>;

/** A folder of installed packages, of which only the existence counts. */
const packagesFolder = 'node_modules';
/** Folders that contain no sources, wherever they are. */
const neverRead: ReadonlySet<string> = new Set(['.git', packagesFolder, lockFolder]);

/** After this number of files, other work of the process has its turn: a network drive can be slow. */
const inOneTurn = 50;

/**
 * Returns the files below some paths with their states. It reads the folders each time: notifications of the operating system are
 * lost in containers, on network drives, and where a user has too many of them. It asks without threads: the way to a thread and back
 * takes longer than the answer.
 *
 * @param ignored - files and folders that are left out, as absolute paths
 */
export async function watchedFiles(
  paths: readonly string[],
  ignored: ReadonlySet<string>,
): Promise<WatchedFiles> {
  const files = new Map<string, string>();
  let asked = 0;
  const addFile = async (file: string): Promise<void> => {
    const state = fileState(file);
    if (state !== undefined) files.set(file, state);
    asked += 1;
    if (asked % inOneTurn === 0) await afterOthers();
  };
  const addFolder = async (folder: string): Promise<void> => {
    const entries = existingEntries(folder);
    // It is a file, or it is gone.
    if (entries === undefined) return await addFile(folder);
    const temporary = new Set(temporaryNamesIn(entries.map(({ name }) => name)).map(({ name }) => name));
    for (const entry of entries) {
      const { name } = entry;
      const file = path.join(folder, name);
      if (name === packagesFolder) files.set(file, 'installed');
      if (neverRead.has(name) || temporary.has(name) || ignored.has(file)) continue;
      await (entry.isDirectory() ? addFolder(file) : addFile(file));
    }
  };
  for (const each of paths) await addFolder(each);
  return files;
}

/** Returns the files that differ between two readings, sorted. */
export function changedFiles(before: WatchedFiles, after: WatchedFiles): readonly string[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((file) => before.get(file) !== after.get(file)).sort();
}
