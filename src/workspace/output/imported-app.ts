import { lstat, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { parametersFile, yamlFile } from '../../importer/import-objects.ts';
import { importedModules } from '../../importer/code/modules.ts';
import { createFiles, existingFiles, type NewFiles } from './create-files.ts';
import { UserError } from '../user-error.ts';

/**
 * Writes the files of an app into a folder, all of them or none.
 *
 * @param folder - relative to `cwd`, as the user named it
 * @param overwrite - whether to replace files of these names, and to remove those that only an earlier import wrote
 * @param stale - files and folders of the app that are then removed, too
 * @returns the names of the removed files
 * @throws UserError if a file is in the way, or the files cannot be written.
 */
export async function writeApp(
  cwd: string,
  folder: string,
  files: NewFiles,
  overwrite: boolean,
  stale: readonly string[] = [],
): Promise<readonly string[]> {
  const target = path.resolve(cwd, folder);
  const existing = await existingFiles(target, files);
  if (existing.length > 0 && !overwrite) {
    throw new UserError(
      `${existing.map((name) => path.join(folder, name)).join(', ')} exist${existing.length === 1 ? 's' : ''} already; nothing was written`,
      'use another folder with --out, or replace the files with --overwrite',
    );
  }
  const outdated = overwrite ? [...(await outdatedFiles(target, files)), ...stale] : [];
  try {
    await replaceFiles(target, [...existing, ...outdated], files);
    return outdated;
  } catch (error) {
    throw new UserError(
      `${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/**
 * Returns the files that an earlier import wrote and that this one does not write: the app would read them, or its
 * types would not match.
 */
async function outdatedFiles(target: string, files: NewFiles): Promise<readonly string[]> {
  const app = await readFile(path.join(target, 'app.ts'), 'utf8').catch(() => '');
  const earlier = [yamlFile, parametersFile, ...importedModules(app)].filter((name) => !files.has(name));
  const isThere = await Promise.all(
    earlier.map(async (name) => (await lstat(path.join(target, name)).catch(() => undefined))?.isFile()),
  );
  return earlier.filter((_, index) => isThere[index] === true);
}

/** Moves existing files aside, and restores them if a step fails. */
async function replaceFiles(target: string, existing: readonly string[], files: NewFiles): Promise<void> {
  if (existing.length === 0) return await createFiles(target, files);
  await mkdir(target, { recursive: true });
  const aside = await mkdtemp(path.join(target, '.fleetwright-'));
  const moved: string[] = [];
  try {
    for (const name of existing) {
      await mkdir(path.dirname(path.join(aside, name)), { recursive: true });
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
