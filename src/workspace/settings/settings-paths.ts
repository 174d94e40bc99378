import path from 'node:path';
import type { FieldPath } from '../../compiler/index.ts';
import type { SettingsFile } from './settings-file.ts';

/**
 * A pull request can edit the file: a path must not lead to other files of the machine that compiles it.
 *
 * @throws UserError if the path leads out of the workspace, or to files of other programs such as Git
 */
export function mustBeInside(
  file: SettingsFile,
  [at, given]: readonly [FieldPath, string | undefined],
): void {
  if (given === undefined) return;
  if (path.isAbsolute(given) || path.normalize(given).split(path.sep)[0] === '..')
    throw file.wrong(at, `leads outside of the workspace`, 'use a path below the folder of this file');
  const reserved = path
    .normalize(given)
    .split(path.sep)
    // Windows and macOS ignore case, and Windows also has short names.
    .find((part) => /^(?:node_modules|git~\d+|\.[^.].*)$/i.test(part));
  if (reserved !== undefined)
    throw file.wrong(at, `is in ${reserved}, which belongs to other programs`, 'use another folder');
}

/**
 * The output folder must not be among the inputs: synth removes files there.
 *
 * @throws UserError if it is
 */
export function mustBeOutput(
  file: SettingsFile,
  [at, given]: readonly [FieldPath, string | undefined],
): void {
  mustBeInside(file, [at, given]);
  if (given === undefined) return;
  const { apps } = file.written;
  const folder = (typeof apps === 'object' ? apps.folder : apps) ?? 'apps';
  const inputs = [folder, 'promotions', 'fleets'].map((each) => path.normalize(withoutSlash(each)));
  const out = path.normalize(withoutSlash(given));
  const around = inputs.find((each) => isWithin(out, each));
  if (around !== undefined) throw file.wrong(at, `is in ${around}, which has inputs`, 'use another folder');
  const inside = inputs.find((each) => isWithin(each, out));
  if (inside !== undefined)
    throw file.wrong(at, `contains ${inside}, which has inputs`, 'use another folder');
}

/** Whether a folder is another one or in it; case does not distinguish them everywhere. */
function isWithin(inner: string, outer: string): boolean {
  const [low, top] = [inner.toLowerCase(), outer.toLowerCase()];
  return top === '.' || low === top || low.startsWith(`${top}${path.sep}`);
}

/** A trailing slash is common for folders. */
export function withoutSlash(folder: string): string {
  return folder.replace(/(?<=.)\/+$/, '');
}
