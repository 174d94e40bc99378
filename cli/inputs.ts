import { readFileSync, realpathSync, statSync, type Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Diagnostic } from '../compiler/diagnostic.ts';
import type { LoadedObject, Source } from '../compiler/inventory.ts';
import { resolutionFile } from '../compiler/emit/emit.ts';
import { kustomizationFile } from '../compiler/emit/kustomization.ts';
import type { KnownContent } from '../compiler/known-content.ts';
import { loadConstructs } from '../compiler/load/constructs.ts';
import { decodeText } from '../compiler/load/decode-text.ts';
import { load, type SourceText } from '../compiler/load/load.ts';
import { latestTime } from '../compiler/place/latest-time.ts';
import { takenAt } from './hub/snapshot-file.ts';
import { policyFile } from './policy.ts';
import { Stopwatch } from './stopwatch.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** Everything that a command was given, loaded. */
export interface Inputs {
  readonly objects: readonly LoadedObject[];
  readonly diagnostics: readonly Diagnostic[];
  /** The texts that diagnostics point into, by file. */
  readonly texts: ReadonlyMap<string, string>;
  /** The fleet snapshots that say when they were taken. */
  readonly snapshots: readonly Snapshot[];
  /**
   * When the inputs are from, in milliseconds since the epoch: when the last snapshot was taken, else the latest time that
   * the fleet tells of. The same inputs give the same answer tomorrow.
   */
  readonly time: number | undefined;
}

/** A fleet snapshot as `fleet pull` writes it. */
export interface Snapshot {
  readonly file: string;
  /** Milliseconds since the epoch. */
  readonly takenAt: number;
}

export interface ReadOptions {
  /** What other states gave already. */
  readonly known?: KnownContent;
  /** Measures what is done. */
  readonly watch?: Stopwatch;
  /** Whether a folder may have nothing to read: one of two states may not have an app yet. @default false */
  readonly mayBeEmpty?: boolean;
}

/** What stands for standard input among paths, and in the places of findings. */
export const standardInput = '<stdin>';

/**
 * Loads YAML and JSON files, folders of them, standard input (`-`) and apps. The fleet is what `fleet` names; without it,
 * `fleet.yaml`, `fleet.json` or the folder `fleet` beside an app.
 *
 * @throws CommandError where a path is not there or cannot be read, or a folder has nothing to read.
 */
export async function readInputs(
  paths: readonly string[],
  fleet: readonly string[],
  terminal: Terminal,
  { known, watch = new Stopwatch(terminal), mayBeEmpty = false }: ReadOptions = {},
): Promise<Inputs> {
  const read = watch.begin('read');
  const reader = new Reader(terminal.cwd);
  const apps: string[] = [];
  const readOne = async (given: string, source: Source): Promise<void> => {
    const found = await reader.read(given, source);
    if (!found && !mayBeEmpty)
      throw new CommandError(`${given}: there is no YAML, JSON or app in this folder`);
  };
  for (const given of paths) {
    if (given === '') {
      throw new CommandError(
        'a path is empty',
        'a variable of the shell may not be set; write . for this folder',
      );
    }
    if (given === standardInput) {
      reader.decode(standardInput, await terminal.readInput(), 'app');
      continue;
    }
    const app = await reader.appAt(given);
    if (app === undefined) {
      await readOne(given, 'app');
      continue;
    }
    if (app.file !== undefined) apps.push(app.file);
    for (const name of app.manifests) await reader.read(path.join(app.folder, name), 'app');
    if (fleet.length > 0) continue;
    for (const name of app.fleet) await reader.read(path.join(app.folder, name), 'fleet');
  }
  for (const given of fleet) await readOne(given, 'fleet');
  read();

  const objects: LoadedObject[] = [];
  const diagnostics: Diagnostic[] = [...reader.diagnostics];
  for (const file of apps) {
    // cdk8s and tsx take a while to load, and plain YAML needs neither
    const { runApp } = await import('./app.ts');
    const app = await watch.wait('run the app', () => runApp(file, terminal.cwd));
    const loaded = watch.run('load', () => loadConstructs(app.objects, known));
    objects.push(...loaded.value);
    diagnostics.push(...app.diagnostics, ...loaded.diagnostics);
  }
  const loaded = watch.run('load', () => load(reader.texts, known));
  const all = objects.concat(loaded.value);
  const snapshots = reader.texts.flatMap(({ file, text, source }): Snapshot[] => {
    const time = source === 'fleet' ? takenAt(text) : undefined;
    return time === undefined ? [] : [{ file, takenAt: time }];
  });
  return {
    objects: all,
    diagnostics: [...diagnostics, ...loaded.diagnostics],
    texts: new Map(reader.texts.map(({ file, text }) => [file, text])),
    snapshots,
    time: snapshots.length > 0 ? Math.max(...snapshots.map((each) => each.takenAt)) : latestTime(all),
  };
}

/** A folder that is an app: what it is made of, by name. */
interface App {
  readonly folder: string;
  /** The file to run; undefined where the app is plain YAML. */
  readonly file: string | undefined;
  readonly manifests: readonly string[];
  readonly fleet: readonly string[];
}

const code = /\.[cm]?[jt]s$/;
const manifest = /\.(?:ya?ml|json)$/;
const appNames = ['app.ts', 'app.js'];
const fleetNames = ['fleet.yaml', 'fleet.yml', 'fleet.json', 'fleet'];
/** Files that stand beside manifests without being any. */
const otherNames = new Set([
  kustomizationFile,
  'kustomization.yml',
  resolutionFile,
  'package.json',
  'package-lock.json',
  policyFile,
  'tsconfig.json',
]);

/** Reads files and folders; what cannot be decoded is a finding. */
class Reader {
  readonly texts: SourceText[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly #cwd: string;
  /** The real paths of the files that were read: one that is named twice is read once. */
  readonly #read = new Set<string>();
  #files = 0;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** The app that a path names: its file, or a folder that has one or a fleet. */
  async appAt(given: string): Promise<App | undefined> {
    const isCode = code.test(given);
    const folder = isCode ? path.dirname(given) : given;
    const names = await this.#namesIn(folder);
    if (names === undefined) return undefined;
    const found = appNames.find((name) => names.includes(name));
    const fleet = fleetNames.filter((name) => names.includes(name));
    if (!isCode && found === undefined && fleet.length === 0) return undefined;
    return {
      folder,
      file: isCode ? given : found && path.join(folder, found),
      manifests: names.filter((name) => isManifest(name) && !fleetNames.includes(name)),
      fleet,
    };
  }

  /**
   * Reads one file, or every manifest of a folder and its folders, in the order of their names. Gives whether there
   * was any.
   */
  async read(given: string, source: Source): Promise<boolean> {
    const before = this.#files;
    const names = await this.#namesIn(given);
    if (names === undefined) this.#readFile(given, source);
    else await this.#readFolder(given, names, source, []);
    return this.#files > before;
  }

  /** Takes the bytes of a file for text. */
  decode(file: string, bytes: Uint8Array, source: Source): void {
    const { value, diagnostics } = decodeText(file, bytes);
    this.diagnostics.push(...diagnostics);
    if (value !== undefined) this.texts.push({ file, text: value, source });
  }

  /** `around` are the real places of the folders that this one is in: a link to one of them leads nowhere else. */
  async #readFolder(
    folder: string,
    names: readonly string[],
    source: Source,
    around: readonly string[],
  ): Promise<void> {
    const place = realpathSync(path.resolve(this.#cwd, folder));
    if (around.includes(place)) return;
    for (const name of names) {
      const below = path.join(folder, name);
      if (name.startsWith('.') || name === 'node_modules') continue;
      const found = this.#stat(below, isManifest(name));
      if (found?.isDirectory() === true) {
        await this.#readFolder(below, (await this.#namesIn(below)) ?? [], source, [...around, place]);
      }
      // Sockets and pipes may have the name of a manifest, and would be waited for.
      else if (found?.isFile() === true && isManifest(name)) this.#readFile(below, source);
    }
  }

  /** Undefined for a link to nothing, unless it has to lead to something. */
  #stat(file: string, isNeeded: boolean): Stats | undefined {
    try {
      // At once, not in turns with other work: a tree can have many thousands of small files.
      return statSync(path.resolve(this.#cwd, file));
    } catch (error) {
      if (isNeeded) throw unreadable(file, error);
      return undefined;
    }
  }

  #readFile(file: string, source: Source): void {
    this.#files += 1;
    let bytes: Uint8Array;
    try {
      // A link leads to a file that may have been read by its own name.
      const place = realpathSync(path.resolve(this.#cwd, file));
      if (this.#read.has(place)) return;
      this.#read.add(place);
      bytes = readFileSync(place);
    } catch (error) {
      throw unreadable(file, error);
    }
    this.decode(file, bytes, source);
  }

  /** The names in a folder, sorted; undefined where the path is no folder. */
  async #namesIn(folder: string): Promise<string[] | undefined> {
    try {
      return (await readdir(path.resolve(this.#cwd, folder))).sort();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined;
      throw unreadable(folder, error);
    }
  }
}

function isManifest(name: string): boolean {
  return manifest.test(name) && !name.startsWith('.') && !otherNames.has(name);
}

function unreadable(file: string, error: unknown): CommandError {
  const reason = error instanceof Error && 'code' in error ? error.code : undefined;
  if (reason === 'ENOENT') return new CommandError(`${file}: there is no such file or folder`);
  if (reason === 'EACCES') return new CommandError(`${file}: not allowed to read it`);
  return new CommandError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
}
