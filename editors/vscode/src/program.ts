import { existsSync } from 'node:fs';
import path from 'node:path';

/** The program that serves the editor. */
export interface Program {
  readonly command: string;
  /** Whether a shell has to start it: npm writes scripts on Windows. */
  readonly shell: boolean;
}

/**
 * Returns the program of the workspace: that of the setting, or the one that npm installed in its folder or in a folder around it.
 * Undefined if there is none.
 */
export function findProgram(root: string, setting: string, platform = process.platform): Program | undefined {
  const isWindows = platform === 'win32';
  if (setting !== '') return { command: path.resolve(root, setting), shell: isWindows };
  for (let folder = root; ; folder = path.dirname(folder)) {
    const command = path.join(folder, 'node_modules/.bin', isWindows ? 'fleetwright.cmd' : 'fleetwright');
    if (existsSync(command)) return { command, shell: isWindows };
    if (folder === path.dirname(folder)) return undefined;
  }
}
