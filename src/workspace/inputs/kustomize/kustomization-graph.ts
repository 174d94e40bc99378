import { readdirSync, realpathSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { kustomizationNames, readKustomization, type Kustomization } from './kustomization.ts';

/** A file that a kustomization lists, or the reason why only kustomize knows the objects. */
type Listing = { readonly files: readonly string[] } | { readonly unclear: UnclearKustomization };

/** A kustomization whose objects are not those of the files that it lists, or may not be. */
export interface UnclearKustomization {
  readonly kustomization: Kustomization;
  /** A path among its resources or components. @default - its field `change` is the reason */
  readonly name?: string;
}

/** The kustomizations of inputs, and those that they use. */
export class KustomizationGraph {
  readonly #cwd: string;
  readonly #repository: string | undefined;
  readonly #byFolder = new Map<string, Kustomization | undefined>();
  readonly #entries = new Map<string, ReadonlyMap<string, Dirent>>();

  /**
   * @param known - kustomizations that are read already
   * @param repository - the real path of the repository, which no kustomization may leave. @default - there is none
   */
  constructor(known: readonly Kustomization[], cwd: string, repository: string | undefined) {
    this.#cwd = cwd;
    this.#repository = repository;
    for (const each of known) this.#byFolder.set(path.dirname(each.file), each);
  }

  /** Returns a kustomization and all that it uses, directly or through others. */
  usedBy(root: Kustomization): readonly Kustomization[] {
    const all = new Map([[root.file, root]]);
    for (const each of all.values())
      for (const name of [...each.resources, ...each.components, ...each.plugins]) {
        const below = this.at(name);
        if (below !== undefined && !all.has(below.file)) all.set(below.file, below);
      }
    return [...all.values()];
  }

  /**
   * Returns those of the kustomizations that no other one uses: overlays, and bases without an overlay. Of kustomizations that use
   * each other, the first one counts.
   */
  unused(kustomizations: readonly Kustomization[]): readonly Kustomization[] {
    const used = new Set<string>();
    for (const each of kustomizations)
      for (const { file } of this.usedBy(each)) if (file !== each.file) used.add(file);
    const candidates = kustomizations.filter(({ isComponent }) => !isComponent);
    const roots = candidates.filter(({ file }) => !used.has(file));
    const reached = new Set(roots.flatMap((root) => this.usedBy(root)).map(({ file }) => file));
    for (const each of candidates) {
      if (reached.has(each.file)) continue;
      roots.push(each);
      for (const { file } of this.usedBy(each)) reached.add(file);
    }
    return roots;
  }

  /**
   * Returns the files that a kustomization lists, with those of the kustomizations that it uses, in the order in which kustomize
   * reads them; or why the objects of these files may differ from those that kustomize builds.
   */
  filesOf(root: Kustomization): Listing {
    const files: string[] = [];
    const unclear = this.#list(root, [], files);
    return unclear === undefined ? { files } : { unclear };
  }

  /** Returns the kustomization in a folder. */
  at(name: string): Kustomization | undefined {
    const folder = path.normalize(name).replace(/(?<=.)[/\\]$/, '');
    if (this.#byFolder.has(folder)) return this.#byFolder.get(folder);
    const kustomization = this.#isFile(folder) ? undefined : this.#read(folder);
    this.#byFolder.set(folder, kustomization);
    return kustomization;
  }

  #list(
    kustomization: Kustomization,
    around: readonly string[],
    files: string[],
  ): UnclearKustomization | undefined {
    const { change, resources, components } = kustomization;
    if (change !== undefined) return { kustomization };
    const folder = path.dirname(kustomization.file);
    const inner = [...around, folder];
    for (const name of resources) {
      const below = this.#isFile(name) ? undefined : this.at(name);
      if (below === undefined) {
        if (!this.#isInside(name, folder)) return { kustomization, name };
        files.push(name);
      } else {
        if (below.isComponent || isAround(name, inner)) return { kustomization, name };
        const unclear = this.#list(below, inner, files);
        if (unclear !== undefined) return unclear;
      }
    }
    for (const name of components) {
      const below = this.at(name);
      if (below?.isComponent !== true || isAround(name, inner)) return { kustomization, name };
      const unclear = this.#list(below, inner, files);
      if (unclear !== undefined) return unclear;
    }
    return undefined;
  }

  #read(folder: string): Kustomization | undefined {
    // The content of a file outside of the repository could be in an error message.
    if (isOutside(folder, this.#cwd, this.#repository)) return undefined;
    const entries = this.#entriesOf(folder);
    const [name, other] = kustomizationNames.filter((each) => entries.has(each));
    if (name === undefined) return undefined;
    return readKustomization(path.join(folder, name), this.#cwd, other === undefined);
  }

  /** Whether a path is a file, and no link. */
  #isFile(name: string): boolean {
    return this.#entriesOf(path.dirname(name)).get(path.basename(name))?.isFile() === true;
  }

  /** Whether a path is a file in or below a folder, also behind links. kustomize reads no other files. */
  #isInside(name: string, folder: string): boolean {
    if (this.#isFile(name) && path.dirname(name) === folder) return true;
    try {
      const file = realpathSync(path.resolve(this.#cwd, name));
      const isFile = this.#entriesOf(path.dirname(file)).get(path.basename(file))?.isFile() === true;
      return isFile && isBelow(file, realpathSync(path.resolve(this.#cwd, folder)));
    } catch {
      return false;
    }
  }

  #entriesOf(folder: string): ReadonlyMap<string, Dirent> {
    const known = this.#entries.get(folder);
    if (known !== undefined) return known;
    const entries = new Map(entriesIn(path.resolve(this.#cwd, folder)).map((each) => [each.name, each]));
    this.#entries.set(folder, entries);
    return entries;
  }
}

/** Whether a path leads out of the repository, also through links. A missing path does not. */
export function isOutside(name: string, cwd: string, repository: string | undefined): boolean {
  if (repository === undefined) return false;
  try {
    const file = realpathSync(path.resolve(cwd, name));
    return file !== repository && !isBelow(file, repository);
  } catch {
    return false;
  }
}

/** Whether a path is below a folder. */
export function isBelow(file: string, folder: string): boolean {
  if (folder === '.') return !file.startsWith('..') && !path.isAbsolute(file) && file !== '.';
  if (folder.startsWith('..')) return /^[^.]|^\.[^.]/.test(path.relative(folder, file));
  return file.startsWith(folder.replace(/[/\\]?$/, path.sep));
}

/** Whether a folder is one of the visited folders, or around one of them: kustomize calls that a cycle. */
function isAround(name: string, visited: readonly string[]): boolean {
  const folder = path.normalize(name).replace(/(?<=.)[/\\]$/, '');
  return visited.some((each) => each === folder || isBelow(each, folder));
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
