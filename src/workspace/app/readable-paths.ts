import { existsSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { childProgram } from './child-program.ts';

/** The folders that apps are run in. */
export interface AppFolders {
  /** The folder in which the command runs, or the corresponding folder of another revision. */
  readonly cwd: string;
  /**
   * The folder that contains all code of the user.
   * @default - the repository around `cwd`, else the nearest folder with fleetwright.yaml or package.json
   */
  readonly root?: string;
  /**
   * Links below the root that may lead out of it.
   * @default - none
   */
  readonly links?: readonly string[];
}

/** Returns the folder that contains all code of the user. */
export function rootOf({ cwd, root }: AppFolders): string {
  if (root !== undefined) return root;
  for (const mark of ['.git', 'fleetwright.yaml', 'package.json']) {
    for (let folder = cwd; ; folder = path.dirname(folder)) {
      if (existsSync(path.join(folder, mark))) return folder;
      if (folder === path.dirname(folder)) break;
    }
  }
  return cwd;
}

/**
 * Returns the paths that apps may read: files, and folders that end in a slash. These are the root and the installed
 * packages. In the root, names that begin with a dot are left out, because they contain credentials and Git's own
 * files. Links to other places are omitted: Node's permission model checks the name of a file, and follows
 * links.
 */
export async function readablePaths(folders: AppFolders): Promise<readonly string[]> {
  const { parts, packageFolder } = childProgram();
  const root = await realpath(rootOf(folders));
  const cwd = await realpath(folders.cwd);
  const walk = new Walk(root, cwd, new Set(folders.links));
  await walk.folder(root);
  for (const modules of new Set([...modulesAbove(root), ...modulesAbove(packageFolder)]))
    await walk.packages(modules);
  return withoutCovered([...walk.readable, ...parts]);
}

/** Removes paths inside of others: Node 20 ends if a path is given twice. */
function withoutCovered(places: readonly string[]): string[] {
  const readable: string[] = [];
  for (const place of [...new Set(places)].sort()) if (!isReadable(place, readable)) readable.push(place);
  return readable;
}

/** Whether readable paths include a file. */
export function isReadable(file: string, readable: readonly string[]): boolean {
  return readable.some((place) => place === file || (place.endsWith('/') && file.startsWith(place)));
}

function modulesAbove(folder: string): string[] {
  const modules: string[] = [];
  for (let above = folder; ; above = path.dirname(above)) {
    if (existsSync(path.join(above, 'node_modules'))) modules.push(path.join(above, 'node_modules'));
    if (above === path.dirname(above)) return modules;
  }
}

class Walk {
  readonly readable = new Set<string>();
  readonly #root: string;
  readonly #cwd: string;
  readonly #links: ReadonlySet<string>;

  constructor(root: string, cwd: string, links: ReadonlySet<string>) {
    this.#root = root;
    this.#cwd = cwd;
    this.#links = links;
  }

  /** Adds a whole folder if everything in it may be read, otherwise each readable part of it. */
  async folder(folder: string): Promise<void> {
    const parts = await this.#partsOf(folder);
    for (const part of parts ?? [`${folder}/`]) this.readable.add(part);
  }

  /** Adds installed packages, and the folders that linked packages are developed in. */
  async packages(modules: string): Promise<void> {
    const real = await realpath(modules).catch(() => undefined);
    if (real === undefined) return;
    this.readable.add(`${modules}/`).add(`${real}/`);
    for (const entry of await entriesOf(real)) {
      const place = path.join(real, entry.name);
      if (entry.isDirectory() && entry.name.startsWith('@')) {
        for (const inner of await entriesOf(place))
          if (inner.isSymbolicLink()) await this.#linkedPackage(path.join(place, inner.name), real);
      } else if (entry.isSymbolicLink()) await this.#linkedPackage(place, real);
    }
  }

  async #linkedPackage(link: string, modules: string): Promise<void> {
    const target = await realpath(link).catch(() => undefined);
    if (target === undefined || isWithin(target, modules) || isWithin(target, this.#root)) return;
    this.readable.add(`${target}/`);
    // It has separate dependencies.
    for (const above of modulesAbove(target)) {
      const real = await realpath(above);
      this.readable.add(`${real}/`);
    }
  }

  /** Returns the parts of a folder that may be read; undefined if the whole folder may be read. */
  async #partsOf(folder: string): Promise<string[] | undefined> {
    const parts: string[] = [];
    let isWhole = true;
    for (const entry of await entriesOf(folder)) {
      const place = path.join(folder, entry.name);
      if (folder === this.#root && entry.name.startsWith('.') && !isWithin(this.#cwd, place)) isWhole = false;
      else if (entry.isSymbolicLink()) {
        const target = await this.#followed(place);
        if (target === undefined) isWhole = false;
        else parts.push(target);
      } else if (entry.isDirectory() && entry.name !== 'node_modules') {
        const inner = await this.#partsOf(place);
        if (inner === undefined) parts.push(`${place}/`);
        else {
          parts.push(...inner);
          isWhole = false;
        }
      } else parts.push(entry.isDirectory() ? `${place}/` : place);
    }
    return isWhole ? undefined : parts;
  }

  /** Returns the readable path that a link leads to; undefined if the link leads out of the root. */
  async #followed(link: string): Promise<string | undefined> {
    const target = await realpath(link).catch(() => undefined);
    if (target === undefined) return link;
    const isFolder = (await stat(target)).isDirectory();
    if (path.basename(link) === 'node_modules') await this.packages(link);
    else if (this.#links.has(link)) this.readable.add(`${target}/`);
    else {
      const [first = ''] = path.relative(this.#root, target).split(path.sep);
      if (!isWithin(target, this.#root) || first.startsWith('.')) return undefined;
    }
    return isFolder ? `${link}/` : link;
  }
}

async function entriesOf(folder: string) {
  return await readdir(folder, { withFileTypes: true }).catch(() => []);
}

function isWithin(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder + path.sep);
}
