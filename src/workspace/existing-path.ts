import {
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  type Dirent,
  type Stats,
} from 'node:fs';
import { UserError } from './user-error.ts';

/**
 * Returns what is at a path, behind links; undefined if nothing is there, or it cannot be reached. It does not wait for a thread, and
 * makes no error for a missing file: a command asks for the same few files again and again.
 */
export function existingPath(file: string): Stats | undefined {
  return unlessError(() => statSync(file, { throwIfNoEntry: false }));
}

/** As `existingPath`, for a link itself. */
export function existingLink(file: string): Stats | undefined {
  return unlessError(() => lstatSync(file, { throwIfNoEntry: false }));
}

/** Returns the path without links; undefined if it does not exist. */
export function existingRealPath(file: string): string | undefined {
  return unlessError(() => realpathSync(file));
}

/**
 * Returns what changes whenever the content of a file changes; undefined for what is no file, is gone, or cannot be reached.
 *
 * @param file - links are followed
 */
export function fileState(file: string): string | undefined {
  const stats = unlessError(() => statSync(file, { bigint: true, throwIfNoEntry: false }));
  if (stats?.isFile() !== true) return undefined;
  return `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}

/** Returns the entries of a folder; undefined for what is no folder, is gone, or cannot be read. */
export function existingEntries(folder: string): readonly Dirent[] | undefined {
  // An error takes longer than this question.
  if (existingPath(folder)?.isDirectory() !== true) return undefined;
  return unlessError(() => readdirSync(folder, { withFileTypes: true }));
}

/** Returns the text of a file; undefined if it is no file, is gone, or cannot be read. */
export function existingText(file: string): string | undefined {
  if (existingPath(file)?.isFile() !== true) return undefined;
  return unlessError(() => readFileSync(file, 'utf8'));
}

/** Returns the failure for a folder that exists and that the user may not read or search. */
export function permissionDenied(folder: string): UserError {
  return new UserError(
    `${folder}: permission denied`,
    'allow the user that runs the command to read the folder',
  );
}

function unlessError<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
