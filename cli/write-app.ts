import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createFiles, existingFiles, type NewFiles } from './create-files.ts';
import { CommandError } from './terminal.ts';

/**
 * Writes the files of an app into a folder, all of them or none.
 *
 * @param folder - relative to `cwd`, as the user named it
 * @param overwrite - whether files of these names are replaced; others always stay
 * @throws CommandError where a file is in the way, or where they cannot be written.
 */
export async function writeApp(
  cwd: string,
  folder: string,
  files: NewFiles,
  overwrite: boolean,
): Promise<void> {
  const target = path.resolve(cwd, folder);
  const existing = await existingFiles(target, files);
  if (existing.length > 0 && !overwrite) {
    throw new CommandError(
      `${existing.map((name) => path.join(folder, name)).join(', ')} exist${existing.length === 1 ? 's' : ''} already; nothing was written`,
      'name another folder with --out, or replace what is there with --overwrite',
    );
  }
  try {
    if (existing.length === 0) await createFiles(target, files);
    else await replaceFiles(target, existing, files);
  } catch (error) {
    throw new CommandError(
      `${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** What is there goes aside, and comes back where something fails. */
async function replaceFiles(target: string, existing: readonly string[], files: NewFiles): Promise<void> {
  await mkdir(target, { recursive: true });
  const aside = await mkdtemp(path.join(target, '.fleetwright-'));
  const moved: string[] = [];
  try {
    for (const name of existing) {
      await rename(path.join(target, name), path.join(aside, name));
      moved.push(name);
    }
    await createFiles(target, files);
  } catch (error) {
    for (const name of moved) await rename(path.join(aside, name), path.join(target, name));
    throw error;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}
