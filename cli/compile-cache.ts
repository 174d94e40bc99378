import nodeModule from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';

/** Parts of node:module that Node 20 does not have. */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
}

/**
 * Returns the folder in which Node keeps compiled code between runs. It is in the home folder of the user: anyone who can write it can
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
 * Lets Node 22.1 and later keep compiled code between runs, which saves a quarter of the time of a short command. Node ignores a
 * folder that it cannot write, and NODE_DISABLE_COMPILE_CACHE=1 turns it off. Nothing is written where Node restricts access to files.
 */
export function cacheCompiledCode(): void {
  const { enableCompileCache } = nodeModule as CompileCache;
  const { permission }: Partial<NodeJS.Process> = process;
  if (enableCompileCache === undefined || permission !== undefined) return;
  enableCompileCache(compileCacheFolder(process.env, process.platform, homedir()));
}
