import { randomBytes } from 'node:crypto';
import path from 'node:path';

/** What is under a temporary name: the next content of a file or folder, or the previous one until the next is in place. */
type Role = 'next' | 'previous';

/** Returns a hidden name beside a file or folder, which no other run has. */
export function temporaryName(target: string, role: Role = 'next'): string {
  const unique = randomBytes(8).toString('hex');
  return path.join(path.dirname(target), `.${path.basename(target)}.${unique}.${role}`);
}

/** A temporary name, and the file or folder beside it that it is for. */
export interface TemporaryEntry {
  readonly name: string;
  readonly target: string;
  readonly role: Role;
}

/** Returns the temporary names among the names in a folder. */
export function temporaryNamesIn(names: readonly string[]): readonly TemporaryEntry[] {
  return names.flatMap((name) => {
    const [, target = '', role] = /^\.(.+)\.[0-9a-f]{16}\.(next|previous)$/.exec(name) ?? [];
    return role === 'next' || role === 'previous' ? [{ name, target, role }] : [];
  });
}
