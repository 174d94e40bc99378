import { lstat, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandError } from './terminal.ts';

/**
 * Writes files into a folder: all of them, or none. They are written beside it first, so that what can fail has failed before
 * the first of them is in its place.
 *
 * @throws CommandError where one of them exists, unless they may be overwritten, or where they cannot be written.
 */
export async function newFiles(
  cwd: string,
  folder: string,
  files: ReadonlyMap<string, string>,
  overwrite: boolean,
): Promise<void> {
  const target = path.resolve(cwd, folder);
  const existing: string[] = [];
  for (const name of files.keys()) if (await exists(path.join(target, name))) existing.push(name);
  if (existing.length > 0 && !overwrite) {
    throw new CommandError(
      `${existing.map((name) => path.join(folder, name)).join(', ')} exist${existing.length === 1 ? 's' : ''} already; nothing was written`,
      'name another folder with --out, or replace what is there with --overwrite',
    );
  }
  let beside: string | undefined;
  const placed: string[] = [];
  try {
    await mkdir(target, { recursive: true });
    beside = await mkdtemp(path.join(target, '.import-'));
    for (const [name, text] of files) await writeFile(path.join(beside, name), text);
    for (const name of files.keys()) {
      await rename(path.join(beside, name), path.join(target, name));
      placed.push(name);
    }
  } catch (error) {
    for (const name of placed)
      if (!existing.includes(name)) await rm(path.join(target, name), { force: true });
    throw new CommandError(
      `${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  } finally {
    if (beside !== undefined) await rm(beside, { recursive: true, force: true });
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch {
    return false;
  }
}
