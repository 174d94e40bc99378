import { lstatSync, realpathSync, statSync, type Stats } from 'node:fs';

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

function unlessError<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
