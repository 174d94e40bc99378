import { homedir } from 'node:os';
import path from 'node:path';

/**
 * Returns the folder in which compiled code is kept between runs. It is in the home folder of the user: anyone who can write it can
 * change what the command executes, so it is never in a folder that users share, such as Node's own default.
 */
export function compileCacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform, home: string): string {
  const { XDG_CACHE_HOME: xdg = '', LOCALAPPDATA: local = '' } = env;
  const caches = { darwin: path.join(home, 'Library/Caches'), win32: local } as Partial<
    Record<string, string>
  >;
  const folder = path.isAbsolute(xdg) ? xdg : caches[platform] || path.join(home, '.cache');
  return path.join(folder, 'fleetwright');
}

/**
 * Returns the file for the code that one command compiles. Each command compiles other functions.
 *
 * @param command - the first argument of the command line
 * @returns undefined if nothing may be kept
 */
export function compiledCodeFile(command: string | undefined): string | undefined {
  if (process.env['NODE_DISABLE_COMPILE_CACHE'] === '1' || hasRestrictedFiles()) return undefined;
  const name = /^[a-z-]{1,20}$/.test(command ?? '') ? command : 'other';
  const folder = compileCacheFolder(process.env, process.platform, homedir());
  return path.join(folder, `${process.version}-${process.arch}`, `${name}.code`);
}

/** Nothing is written where Node restricts access to files. */
function hasRestrictedFiles(): boolean {
  const { permission }: Partial<NodeJS.Process> = process;
  return permission !== undefined;
}
