import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { leavesRepository } from '../contained-file.ts';
import { DiagnosedError } from '../diagnosed-error.ts';
import { existingLink } from '../existing-path.ts';

/** Whether a file of this name exists, readable or not. */
export function isPresent(file: string): boolean {
  return existingLink(file) !== undefined;
}

/**
 * Returns the text of a settings file, `fleetwright.yaml` or one that `--policy` names; undefined if the file does not exist.
 *
 * @param name - relative to `cwd`
 * @throws DiagnosedError if it exists and cannot be read: without its guardrails the answer would be wrong
 */
export function readSettingsText(name: string, cwd: string): string | undefined {
  const file = path.resolve(cwd, name);
  if (!isPresent(file)) return undefined;
  // A location would print a line of the file.
  if (leavesRepository(file))
    throw new DiagnosedError(
      diagnostic('FW9036', {
        message: `${name} is a link that leaves the repository, and is not read`,
        hint: 'replace the link with the file',
      }),
    );
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (!isPresent(file)) return undefined;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const [reason, hint] = reasons[code] ?? [error instanceof Error ? error.message : String(error), anyHint];
    throw unreadableSettings(name, `cannot be read: ${reason}`, hint, { line: 1, column: 1 });
  }
}

const anyHint = 'correct the file, or remove it if the workspace has no settings';

/** The meaning of error codes of the operating system for the user, and the remedy. */
const reasons: Readonly<Record<string, readonly [reason: string, hint: string]>> = {
  EISDIR: ['it is a folder', 'remove the folder, or write the settings into a file of this name'],
  EACCES: ['permission denied', 'allow the user that runs the command to read it, such as with chmod +r'],
  EPERM: ['permission denied', 'allow the user that runs the command to read it, such as with chmod +r'],
  ENOENT: ['it is a broken link', 'correct the link, or replace it with the file'],
  ELOOP: ['it is a link that leads back to itself', 'replace the link with the file'],
};

/** Returns the failure for a settings file that exists and cannot be used. */
export function unreadableSettings(
  file: string,
  what: string,
  hint: string,
  place: { readonly line: number; readonly column: number },
  text?: string,
): DiagnosedError {
  return new DiagnosedError(
    diagnostic('FW9036', { message: `${file} ${what}`, location: { file, ...place }, hint }),
    new Map(text === undefined ? [] : [[file, text]]),
  );
}
