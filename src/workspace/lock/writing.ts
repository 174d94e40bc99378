import { stat } from 'node:fs/promises';
import path from 'node:path';
import { terminalLine } from '../../compiler/report/text/terminal-line.ts';
import type { Host } from '../host.ts';
import { workspaceRoot } from '../workspace.ts';
import { withRunLock } from './run-lock.ts';

/**
 * Runs the part of a command that writes. One run at a time does so in a workspace; others wait, and report that they do. Commands
 * that only read need no lock.
 *
 * @param target - what is written: a file or a folder, relative to the working folder. Its workspace has the lock.
 * @param command - the name of the command, for those that wait
 * @throws DiagnosedError if another run does not end
 */
export async function writing<T>(
  target: string,
  command: string,
  { cwd, now, err }: Pick<Host, 'cwd' | 'now' | 'err'>,
  use: () => Promise<T>,
): Promise<T> {
  const onWait = (text: string): void => err(`${terminalLine(text)}\n`);
  return await withRunLock(await lockedFolder(path.resolve(cwd, target)), { command, now, onWait }, use);
}

/** Returns the workspace around a file or folder that may not exist yet. */
export async function lockedFolder(target: string): Promise<string> {
  const parent = path.dirname(target);
  const isFolder = (await stat(parent).catch(() => undefined))?.isDirectory() === true;
  return isFolder || parent === target ? workspaceRoot(parent) : await lockedFolder(parent);
}
