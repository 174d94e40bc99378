import { existsSync } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
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

/** How the readable paths are enforced. */
export interface ReadableOptions extends AppFolders {
  /**
   * Whether the operating system hides all other paths. Otherwise installed packages are searched for links that lead out of them.
   */
  readonly isSandboxed: boolean;
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
export async function readablePaths(folders: ReadableOptions): Promise<ReadablePaths> {
  const { parts, packageFolder } = childProgram();
  const root = await realpath(rootOf(folders));
  const cwd = await realpath(folders.cwd);
  const walk = new Walk(root, cwd, new Set(folders.links), folders.isSandboxed);
  await walk.folder(root);
  for (const modules of new Set([...modulesAbove(root), ...modulesAbove(packageFolder)]))
    await walk.packages(modules);
  return { root, cwd, paths: withoutCovered([...walk.readable, ...parts]), endpoints: walk.endpoints };
}

/** What apps may read. */
export interface ReadablePaths {
  /** The real paths of the folder with all code of the user, and of the folder in which apps run. */
  readonly root: string;
  readonly cwd: string;
  /** Files, and folders that end in a slash. */
  readonly paths: readonly string[];
  /** The sockets and pipes among them. */
  readonly endpoints: readonly string[];
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
  readonly endpoints: string[] = [];
  readonly #root: string;
  readonly #cwd: string;
  readonly #links: ReadonlySet<string>;
  readonly #isSandboxed: boolean;
  /** The real paths of folders of installed packages. */
  readonly #modules = new Set<string>();

  constructor(root: string, cwd: string, links: ReadonlySet<string>, isSandboxed: boolean) {
    this.#root = root;
    this.#cwd = cwd;
    this.#links = links;
    this.#isSandboxed = isSandboxed;
  }

  /** Adds a whole folder if everything in it may be read, otherwise each readable part of it. */
  async folder(folder: string): Promise<void> {
    const parts = await this.#partsOf(folder);
    for (const part of parts ?? [`${folder}/`]) this.readable.add(part);
  }

  /** Adds installed packages, and the folders that linked packages are developed in. */
  async packages(modules: string): Promise<void> {
    const real = await realpath(modules).catch(() => undefined);
    if (real === undefined || this.#modules.has(real)) return;
    this.#modules.add(real);
    await this.#addPackages(modules, real);
    for (const entry of await entriesOf(real)) {
      const place = path.join(real, entry.name);
      if (entry.isDirectory() && entry.name.startsWith('@')) {
        for (const inner of await entriesOf(place))
          if (inner.isSymbolicLink()) await this.#linkedPackage(path.join(place, inner.name), real);
      } else if (entry.isSymbolicLink()) await this.#linkedPackage(place, real);
    }
  }

  async #addPackages(modules: string, real: string): Promise<void> {
    const parts = this.#isSandboxed ? undefined : await this.#partsOf(real);
    if (parts === undefined) this.readable.add(`${modules}/`).add(`${real}/`);
    else for (const part of parts) this.readable.add(part).add(modules + part.slice(real.length));
  }

  /** Whether a link is that of a package that is developed elsewhere, in the installed packages of the repository or above it. */
  async #isLinkedPackage(link: string, target: string): Promise<boolean> {
    const [, modules = '', name = ''] = /^(.*\/node_modules)\/((?:@[^/]+\/)?[^/]+)$/.exec(link) ?? [];
    const isNested = isWithin(modules, this.#root) && modules !== path.join(this.#root, 'node_modules');
    if (modules === '' || (isNested && !this.#modules.has(modules))) return false;
    return !isWithin(this.#root, target) && (await isPackage(target, name));
  }

  async #linkedPackage(link: string, modules: string): Promise<void> {
    const target = await realpath(link).catch(() => undefined);
    if (target === undefined || isWithin(target, modules) || isWithin(target, this.#root)) return;
    if (!(await this.#isLinkedPackage(link, target))) return;
    this.readable.add(`${target}/`);
    // It has separate dependencies.
    for (const above of modulesAbove(target)) await this.packages(await realpath(above));
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
      } else if (entry.isDirectory() && !(this.#isSandboxed && entry.name === 'node_modules')) {
        const inner = await this.#partsOf(place);
        if (inner === undefined) parts.push(`${place}/`);
        else {
          parts.push(...inner);
          isWhole = false;
        }
      } else if (entry.isSocket() || entry.isFIFO()) {
        this.endpoints.push(place);
        isWhole = false;
      } else parts.push(entry.isDirectory() ? `${place}/` : place);
    }
    return isWhole ? undefined : parts;
  }

  /** Returns the readable path that a link leads to; undefined if the link leads out of the root. */
  async #followed(link: string): Promise<string | undefined> {
    const target = await realpath(link).catch(() => undefined);
    if (target === undefined) return link;
    const isFolder = (await stat(target)).isDirectory();
    const modules = [...this.#modules].find((each) => isWithin(link, each));
    if (this.#links.has(link)) {
      if (path.basename(link) === 'node_modules') await this.packages(link);
      else this.readable.add(`${target}/`);
    } else if (link === path.join(this.#root, 'node_modules') && (await hasPackages(target))) {
      await this.packages(link);
    } else if (await this.#isLinkedPackage(link, target)) {
      await this.#linkedPackage(link, path.dirname(link));
    } else if (modules === undefined || !isWithin(target, modules)) {
      const [first = ''] = path.relative(this.#root, target).split(path.sep);
      if (!isWithin(target, this.#root) || first.startsWith('.')) return undefined;
    }
    return isFolder ? `${link}/` : link;
  }
}

/**
 * Whether a folder outside of the repository is the package that a link in `node_modules` names, as `npm link` creates it. Other
 * links, such as those of a `file:` dependency of a pull request, could lead to any folder of the machine.
 */
async function isPackage(folder: string, name: string): Promise<boolean> {
  try {
    const manifest: unknown = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
    return typeof manifest === 'object' && manifest !== null && 'name' in manifest && manifest.name === name;
  } catch {
    return false;
  }
}

/** Whether a folder outside of the repository has installed packages: a link of a pull request could lead to any folder. */
async function hasPackages(modules: string): Promise<boolean> {
  for (const { name } of await entriesOf(modules))
    if (await isPackage(path.join(modules, name), name)) return true;
  return false;
}

async function entriesOf(folder: string) {
  return await readdir(folder, { withFileTypes: true }).catch(() => []);
}

function isWithin(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder + path.sep);
}
