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
    const command = installedProgram(folder, platform);
    if (existsSync(command)) return { command, shell: isWindows };
    if (folder === path.dirname(folder)) return undefined;
  }
}

/**
 * Whether a folder without settings is a workspace: it has apps, and Fleetwright is installed in it. Many repositories have a folder of
 * this name, so a program of a folder around it, or of the setting, does not count.
 */
export function isWorkspaceWithoutSettings(folder: string, platform = process.platform): boolean {
  return existsSync(path.join(folder, 'apps')) && existsSync(installedProgram(folder, platform));
}

/** Returns where npm installs the program in a folder. */
function installedProgram(folder: string, platform: NodeJS.Platform): string {
  const name = platform === 'win32' ? 'fleetwright.cmd' : 'fleetwright';
  return path.join(folder, 'node_modules/.bin', name);
}
