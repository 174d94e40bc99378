import path from 'node:path';
import type { FieldPath } from '../../compiler/index.ts';
import type { SettingsFile } from './settings-file.ts';

/**
 * A pull request can edit the file: a path must not lead to other files of the machine that compiles it.
 *
 * @throws UserError if the path leads out of the workspace
 */
export function mustBeInside(
  file: SettingsFile,
  [at, given]: readonly [FieldPath, string | undefined],
): void {
  if (given === undefined) return;
  if (path.isAbsolute(given) || path.normalize(given).split(path.sep)[0] === '..')
    throw file.wrong(at, `leads outside of the workspace`, 'use a path below the folder of this file');
}

/** A trailing slash is common for folders. */
export function withoutSlash(folder: string): string {
  return folder.replace(/(?<=.)\/+$/, '');
}
