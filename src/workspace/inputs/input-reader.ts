import { constants } from 'node:buffer';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  type Stats,
} from 'node:fs';
import path from 'node:path';
import type { Diagnostic, Source, SourceText } from '../../compiler/index.ts';
import { resolutionFile } from '../../compiler/emit/emit.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { closest } from '../../compiler/model/suggestion.ts';
import { decodeText } from '../../compiler/load/decode-text.ts';
import { kustomizationNames, readKustomization, type Kustomization } from './kustomize/kustomization.ts';
import { ownershipFile } from '../output/output-folder.ts';
import { settingsFile } from '../settings/settings.ts';
import type { Host } from '../host.ts';
import { existingPath } from '../existing-path.ts';
import { UserError } from '../user-error.ts';

/** A folder that is an app, with its parts by name. */
export interface App {
  readonly folder: string;
  /** The file to run; undefined if the app is plain YAML. */
  readonly file: string | undefined;
  /** The files beside it, and the folders of a plain YAML app. */
  readonly manifests: readonly string[];
  /** The folders of an app with code. They are not read: the code may read the files in them. */
  readonly unread: readonly string[];
  readonly fleet: readonly string[];
  /** The folder with one kustomization per hub, relative to the working folder. @default - the app has none */
  readonly overlays?: string;
  /** The folder of the kustomization of the hub in it. @default - none */
  readonly overlay?: string;
}

/**
 * The inputs that a command did not read, or that mean something else than their text. All paths are relative to the
 * working folder.
 */
export interface Unread {
  readonly kustomizations: readonly Kustomization[];
  /** Folders of Helm charts. */
  readonly charts: string[];
  /** Apps inside of the folders that were read. */
  readonly apps: string[];
  /** Folders that synth wrote. */
  readonly outputs: string[];
  /** Files that a pattern of the command line, or `.gitignore`, leaves out. */
  readonly ignored: string[];
}

/** The hub whose overlays are read. */
export interface OverlaidHub {
  readonly name: string;
  /** The names of all hubs of the workspace. */
  readonly names: readonly string[];
}

/** Whether a path inside of a folder is left out. */
export type IsIgnored = (file: string, isFolder: boolean) => boolean;

const code = /\.[cm]?[jt]s$/;
const manifest = /\.(?:ya?ml|json)$/;
const appNames = ['app.ts', 'app.js'];
/** What an app in JavaScript has: a default export, or constructs for which it was forgotten. */
const appCode =
  /export\s+default|export\s*\{[^}]*\bdefault\b|module\.exports|exports\.default|cdk8s|constructs|fleetwright/;
/** The names of fleet snapshots beside an app, or at the top of a workspace. */
export const fleetNames = ['fleet.yaml', 'fleet.yml', 'fleet.json', 'fleet'];
/** The folder of an app with one kustomization per hub. */
const overlaysFolder = 'overlays';
/** The file that makes a folder a Helm chart. */
const chartFile = 'Chart.yaml';
/** Files beside manifests that are known not to be manifests. */
const otherNames = new Set([
  ...kustomizationNames,
  resolutionFile,
  'package.json',
  'package-lock.json',
  settingsFile,
  'tsconfig.json',
]);

/**
 * Reads files and folders. Reports a finding for a file that cannot be decoded, and records the files that are not
 * read.
 */
export class InputReader {
  readonly texts: SourceText[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly unread: Unread & { readonly kustomizations: Kustomization[] } = {
    kustomizations: [],
    charts: [],
    apps: [],
    outputs: [],
    ignored: [],
  };
  readonly #cwd: string;
  readonly #isIgnored: IsIgnored;
  /** The real path of the top folder of the repository, which no link may leave. */
  readonly repository: string | undefined;
  readonly #hub: OverlaidHub | undefined;
  readonly #openFiles: Host['openFiles'];
  readonly #keptTexts: Host['keptTexts'];
  /** The real paths of the files that were read: a file that is named twice is read once. */
  readonly #read = new Set<string>();
  /** By folder, the names of its regular files. Links are not among them: they are followed, and may lead elsewhere. */
  readonly #regularFiles = new Map<string, ReadonlySet<string>>();
  #files = 0;
  #realCwd: string | undefined;

  /**
   * @param repository - the top folder of the repository, which no link may leave. @default - the one with `.git` around `cwd`
   * @param hub - the hub whose overlays are read. @default - an app has no overlays
   * @param host - the files that an editor has open, and those that were read before
   */
  constructor(
    cwd: string,
    isIgnored: IsIgnored = () => false,
    repository = repositoryAround(cwd),
    hub?: OverlaidHub,
    { openFiles, keptTexts }: Pick<Host, 'openFiles' | 'keptTexts'> = {},
  ) {
    this.#cwd = cwd;
    this.#openFiles = openFiles;
    this.#keptTexts = keptTexts;
    this.#hub = hub;
    this.#isIgnored = isIgnored;
    this.repository = repository && realpathSync(repository);
  }

  /** Returns the app at a path: its file, or a folder that contains such a file or a fleet. */
  appAt(given: string): App | undefined {
    const isCode = code.test(given);
    const folder = isCode ? path.dirname(given) : given;
    const names = this.#namesIn(folder);
    if (names === undefined) return undefined;
    const appName = appNames.find((name) => names.includes(name));
    const fleet = fleetNames.filter((name) => names.includes(name));
    const file = isCode ? given : appName && path.join(folder, appName);
    const hasOverlays = file === undefined && this.#hub !== undefined && names.includes(overlaysFolder);
    if (file === undefined && fleet.length === 0 && !hasOverlays) return undefined;
    const overlay = hasOverlays ? this.#overlayIn(folder) : undefined;
    const isRead = (name: string): boolean => !fleetNames.includes(name) && !isHidden(name);
    const folders = names.filter((name) => isRead(name) && this.#isFolderIn(folder, name));
    return {
      folder,
      file,
      manifests: [
        ...names.filter((name) => isManifest(name) && isRead(name) && !folders.includes(name)),
        ...(file === undefined ? folders : []),
      ],
      unread: file === undefined ? [] : folders,
      fleet,
      ...(hasOverlays && { overlays: path.join(folder, overlaysFolder) }),
      ...(overlay !== undefined && { overlay }),
    };
  }

  /** Returns the overlay of the hub in an app; undefined if the app has none for this hub. */
  #overlayIn(folder: string): string | undefined {
    const { name, names: hubs } = this.#hub ?? { name: '', names: [] };
    for (const each of this.#namesIn(path.join(folder, overlaysFolder)) ?? [])
      if (!isHidden(each) && !hubs.includes(each))
        this.diagnostics.push(unusedOverlay(path.join(folder, overlaysFolder, each), each, hubs));
    const overlay = path.join(folder, overlaysFolder, name);
    if (!this.#isFolder(overlay)) return undefined;
    const names = this.#namesIn(overlay) ?? [];
    return kustomizationNames.some((name) => names.includes(name)) ? overlay : undefined;
  }

  /** Reads the parts of an app besides its code and its fleet. */
  readApp({ folder, manifests }: App): void {
    this.#noteFolder(folder, this.#namesIn(folder) ?? []);
    for (const name of manifests) {
      const below = path.join(folder, name);
      if (!this.#isFolder(below)) this.#readFile(below, 'app', true);
      else this.#readFolder(below, this.#namesIn(below) ?? [], 'app', [this.#realPath(folder)]);
    }
  }

  /** Reads one file, or every manifest of a folder and its folders, in the order of their names. @returns whether there was any */
  read(given: string, source: Source): boolean {
    const before = this.#files;
    const names = this.#namesIn(given);
    if (names === undefined) this.#readNamed(given, source);
    else this.#readFolder(given, names, source, [], this.#isOutput(given, names));
    return this.#files > before;
  }

  /**
   * Returns a file that a kustomization lists, which may have any name; undefined if it is not valid text, or a link leads out of
   * the repository.
   */
  listed(file: string): SourceText | undefined {
    const place = this.#realPath(file);
    if (this.#leavesRepository(file, place)) return undefined;
    const open = this.#openFiles?.get(place);
    const { value, diagnostics } = decodeText(
      file,
      open === undefined ? readFileSync(place) : Buffer.from(open),
    );
    return value === undefined || diagnostics.length > 0 ? undefined : { file, text: value, source: 'app' };
  }

  /**
   * Decodes the bytes of a file as text.
   *
   * @throws UserError if the file is larger than the longest string of Node
   */
  decode(file: string, bytes: Uint8Array, source: Source, isFromFolder = false): void {
    const { value, diagnostics } = decodeText(file, checkedSize(file, bytes));
    this.diagnostics.push(...diagnostics);
    if (value !== undefined) this.#add(file, value, source, isFromFolder);
  }

  #add(file: string, text: string, source: Source, isFromFolder: boolean): void {
    this.texts.push({ file, text, source, ...(isFromFolder && { isFromFolder }) });
  }

  /**
   * Handles a kustomization or chart that is named by its file: it contains no objects. A kustomization is built.
   */
  #readNamed(file: string, source: Source): void {
    const name = path.basename(file);
    if (source === 'app' && kustomizationNames.includes(name)) {
      this.#files += 1;
      this.#noteKustomization(file);
    } else if (source === 'app' && name === chartFile) {
      this.#files += 1;
      this.unread.charts.push(path.dirname(file));
    } else this.#readFile(file, source);
  }

  /**
   * @param around - the real paths of the folders around this one: a link to one of them leads nowhere else
   * @param isOutput - whether the folder was written by synth and named explicitly
   */
  #readFolder(
    folder: string,
    names: readonly string[],
    source: Source,
    around: readonly string[],
    isOutput = false,
  ): void {
    const place = this.#realPath(folder);
    if (around.includes(place)) return;
    if (source === 'app' && this.#noteFolder(folder, names)) return;
    const regularFiles = this.#regularFiles.get(folder);
    for (const name of names) {
      const below = path.join(folder, name);
      if (isHidden(name)) continue;
      const isRegular = regularFiles?.has(name) === true;
      const stats = isRegular ? undefined : this.#stat(below, isManifest(name));
      const isFolder = stats?.isDirectory() === true;
      if ((isFolder || isManifest(name)) && this.#isIgnored(below, isFolder)) {
        this.unread.ignored.push(below);
      } else if (isFolder) {
        const inner = this.#namesIn(below) ?? [];
        if (source === 'fleet' || this.#isPart(below, inner, isOutput))
          this.#readFolder(below, inner, source, [...around, place], isOutput);
      }
      // Sockets and pipes may have the name of a manifest; reading them would block.
      else if (isManifest(name)) {
        if (isRegular) this.#readFile(below, source, true, path.join(place, name));
        else if (stats?.isFile() === true) this.#readFile(below, source, true);
      }
    }
  }

  /**
   * Records the kustomization of a folder, or that it is a chart. @returns whether it is a chart, of which nothing is
   * read
   */
  #noteFolder(folder: string, names: readonly string[]): boolean {
    const [kustomization, other] = kustomizationNames.filter((name) => names.includes(name));
    if (kustomization !== undefined) {
      this.#files += 1;
      this.#noteKustomization(path.join(folder, kustomization), other === undefined);
    } else if (names.includes(chartFile)) {
      this.unread.charts.push(folder);
      this.#files += 1;
      return true;
    }
    return false;
  }

  #noteKustomization(file: string, isOnly = true): void {
    if (this.#leavesRepository(file, this.#realPath(file))) this.diagnostics.push(leavingLink(file));
    else this.unread.kustomizations.push(readKustomization(file, this.#cwd, isOnly));
  }

  /** Whether a folder is part of the input. An app in it is read separately, and output of synth is no input. */
  #isPart(folder: string, names: readonly string[], isOutput: boolean): boolean {
    const isApp =
      fleetNames.some((name) => names.includes(name)) ||
      appNames.some((name) => names.includes(name) && this.#isAppCode(path.join(folder, name)));
    if (isApp) this.unread.apps.push(folder);
    const isSkippedOutput = !isOutput && names.includes(ownershipFile);
    if (isSkippedOutput) this.unread.outputs.push(folder);
    return !isApp && !isSkippedOutput;
  }

  /** Whether a file that nobody named is code of an app. Web pages have an app.js too, which exports nothing by default. */
  #isAppCode(file: string): boolean {
    if (!file.endsWith('.js')) return true;
    try {
      return appCode.test(readFileSync(path.resolve(this.#cwd, file), 'utf8'));
    } catch {
      return true;
    }
  }

  /** Whether synth wrote a folder, or all folders in it. */
  #isOutput(folder: string, names: readonly string[]): boolean {
    if (names.includes(ownershipFile)) return true;
    const folders = names.filter((name) => !isHidden(name) && this.#isFolderIn(folder, name));
    const isInOutput = (name: string): boolean =>
      existsSync(path.resolve(this.#cwd, folder, name, ownershipFile));
    return folders.length > 0 && folders.every(isInOutput);
  }

  #isFolderIn(folder: string, name: string): boolean {
    return this.#regularFiles.get(folder)?.has(name) !== true && this.#isFolder(path.join(folder, name));
  }

  #isFolder(file: string): boolean {
    return this.#stat(file, false)?.isDirectory() === true;
  }

  #realPath(file: string): string {
    // The other one looks at every folder of the path.
    return realpathSync.native(path.resolve(this.#cwd, file));
  }

  /** Returns the stats of a path; undefined for a broken link, unless its target is required. */
  #stat(file: string, isNeeded: boolean): Stats | undefined {
    try {
      // Synchronous, without other work in between: a tree can have many thousands of small files.
      return statSync(path.resolve(this.#cwd, file));
    } catch (error) {
      if (isNeeded) throw unreadable(file, error);
      return undefined;
    }
  }

  /** @param realPath - the real path of the file, if the caller has it */
  #readFile(file: string, source: Source, isFromFolder = false, realPath?: string): void {
    this.#files += 1;
    let bytes: Uint8Array;
    try {
      // The target of a link may have been read by its own name.
      const place = realPath ?? this.#realPath(file);
      if (this.#read.has(place)) return;
      this.#read.add(place);
      if (this.#leavesRepository(file, place)) {
        this.diagnostics.push(leavingLink(file));
        return;
      }
      const open = this.#openFiles?.get(place);
      if (open === undefined && this.#keptTexts !== undefined) {
        const kept = this.#keptTexts.of(
          place,
          () => decodeText(file, checkedSize(file, readFileSync(place))).value,
        );
        if (kept !== undefined) return this.#add(file, kept, source, isFromFolder);
      }
      bytes = open === undefined ? readFileSync(place) : Buffer.from(open);
    } catch (error) {
      throw error instanceof UserError ? error : unreadable(file, error);
    }
    this.decode(file, bytes, source, isFromFolder);
  }

  /** Whether links lead from a file in the repository to a path outside of it. */
  #leavesRepository(file: string, place: string): boolean {
    const top = this.repository;
    if (top === undefined || isBelow(place, top)) return false;
    this.#realCwd ??= this.#realPath('.');
    return isBelow(path.resolve(this.#realCwd, file), top);
  }

  /** Returns the names in a folder, sorted; undefined if the path is no folder. */
  #namesIn(folder: string): string[] | undefined {
    const place = path.resolve(this.#cwd, folder);
    // An error takes longer than this question.
    if (existingPath(place)?.isFile() === true) return undefined;
    try {
      const entries = readdirSync(place, { withFileTypes: true });
      const regularFiles = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
      this.#regularFiles.set(folder, new Set(regularFiles));
      return entries.map(({ name }) => name).sort();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined;
      throw unreadable(folder, error);
    }
  }
}

/** Whether an app is code, which has to be run to get its objects. */
export function hasCode(folder: string): boolean {
  // A broken link is code too: the app then fails.
  return appNames.some((name) => lstatSync(path.join(folder, name), { throwIfNoEntry: false }) !== undefined);
}

function isBelow(file: string, folder: string): boolean {
  return file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

function repositoryAround(cwd: string): string | undefined {
  for (let folder = path.resolve(cwd); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) return folder;
    if (folder === path.dirname(folder)) return undefined;
  }
}

/**
 * Reports a link out of the repository: a change could link to any file of the machine. There is no location, because
 * the line there would be shown.
 */
function leavingLink(file: string): Diagnostic {
  return diagnostic('FW9050', {
    message: `${file} leads outside of the repository through a symbolic link, and is not read`,
    hint: 'replace the link with the file, or pass its target on the command line',
  });
}

function unusedOverlay(folder: string, name: string, hubs: readonly string[]): Diagnostic {
  const meant = closest(name, hubs);
  return diagnostic('FW9075', {
    message: `${folder} is read for no hub, because the workspace has no hub "${name}"`,
    hint:
      meant === undefined
        ? `rename it to one of the hubs ${hubs.join(', ')}, or delete it`
        : `did you mean ${meant}?`,
  });
}

function isHidden(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

function isManifest(name: string): boolean {
  return manifest.test(name) && !name.startsWith('.') && !otherNames.has(name);
}

/** @throws UserError if a file is larger than the longest string of Node */
function checkedSize(file: string, bytes: Uint8Array): Uint8Array {
  if (bytes.length > constants.MAX_STRING_LENGTH) throw tooLarge(file, bytes.length);
  return bytes;
}

function tooLarge(file: string, bytes: number): UserError {
  const [size, limit] = [Math.ceil(bytes / 2 ** 20), Math.floor(constants.MAX_STRING_LENGTH / 2 ** 20)];
  return new UserError(
    `${file}: the file has ${size} MiB, and a file may have at most ${limit} MiB`,
    'write its objects into several files: a fleet snapshot may be a folder',
  );
}

function unreadable(file: string, error: unknown): UserError {
  const reason = error instanceof Error && 'code' in error ? error.code : undefined;
  if (reason === 'ENOENT') return new UserError(`${file}: no such file or folder`);
  if (reason === 'EACCES') return new UserError(`${file}: permission denied`);
  return new UserError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
}
