import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** What is visible in a sandbox, at its own path and read-only. Everything else does not exist there. */
export interface SandboxView {
  /** Files and folders, as real paths. */
  readonly bound: readonly string[];
  /** Links, by their path. */
  readonly links: ReadonlyMap<string, string>;
  /** Files and folders inside of the bound ones that are empty. */
  readonly hidden: readonly string[];
  /** A real path. */
  readonly cwd: string;
}

export interface SandboxViewOptions {
  /** The folder of all code of the user; a real path. */
  readonly root: string;
  /** The folder in which apps run; a real path. */
  readonly cwd: string;
  /** The paths that apps may read: files, and folders that end in a slash. */
  readonly readable: readonly string[];
  /** Sockets and pipes in the root: a read-only folder does not keep a process from using them. */
  readonly endpoints: readonly string[];
}

/** The folders of the libraries that Node is linked with. */
const libraryFolders = [
  '/lib',
  '/lib32',
  '/lib64',
  '/usr/lib',
  '/usr/lib32',
  '/usr/lib64',
  '/usr/local/lib64',
];

/**
 * Returns what apps see. The root is visible as a whole, without the names that begin with a dot at its top. Links that lead to a
 * place that is not visible lead nowhere.
 */
export function sandboxView({ root, cwd, readable, endpoints }: SandboxViewOptions): SandboxView {
  const bound = new Set<string>([root]);
  const links = new Map<string, string>();
  for (const given of [...readable, ...nodeFiles()]) {
    const place = given.length > 1 ? given.replace(/\/$/, '') : given;
    if (isWithin(place, root) && place !== root) continue;
    const real = realOf(place);
    if (real === undefined) continue;
    if (lstatSync(place).isSymbolicLink()) links.set(place, readlinkSync(place));
    bound.add(real);
  }
  for (const folder of libraryFolders) {
    if (!existsSync(folder)) continue;
    if (lstatSync(folder).isSymbolicLink()) links.set(folder, readlinkSync(folder));
    else bound.add(folder);
  }
  const outermost = [...bound].sort().filter((place, _index, all) => !isCovered(place, all));
  const tops = outermost.filter((place) => place === root || existsSync(path.join(place, 'package.json')));
  return {
    bound: outermost,
    // A link inside of a bound folder is there already.
    links: new Map([...links].filter(([place]) => !isCovered(place, outermost))),
    hidden: [...tops.flatMap((top) => dotNames(top, cwd)), ...endpoints],
    cwd,
  };
}

/** Returns Node itself, and the parts of it that some distributions keep in separate files. */
function nodeFiles(): string[] {
  return [process.execPath, '/usr/share/nodejs'].filter((place) => existsSync(place));
}

/** Returns the names that begin with a dot at the top of a folder: credentials, and Git's own files. */
function dotNames(folder: string, cwd: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.name.startsWith('.') && !entry.isSymbolicLink())
    .map((entry) => path.join(folder, entry.name))
    .filter((place) => !isWithin(cwd, place));
}

function isCovered(place: string, all: readonly string[]): boolean {
  return all.some((other) => other !== place && isWithin(place, other));
}

function isWithin(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function realOf(place: string): string | undefined {
  try {
    return realpathSync(place);
  } catch {
    return undefined;
  }
}
