import type { Tree } from '../../compiler/index.ts';
import { isJsonMap } from '../../base/json/json-map.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { linkSync, lstatSync, readFileSync, writeFileSync, type Stats } from 'node:fs';
import { cp, link, lstat, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { conflictSides } from './conflict-markers.ts';
import { DiagnosedError } from '../diagnosed-error.ts';
import { temporaryName, temporaryNamesIn } from '../temporary-name.ts';
import { UserError } from '../user-error.ts';

/** Lists the files of an output folder that synth owns. All other files in the folder are left alone. */
export const ownershipFile = '.fleetwright.json';

/** The data that synth stores about an output folder. */
export interface Ownership {
  /** The files that it wrote, sorted. */
  readonly files: readonly string[];
  /** The files of the revisions of each immutable object, the latest first. */
  readonly revisions: Readonly<Record<string, readonly string[]>>;
  /** The files of objects that the app no longer has and that clusters may use, by kind, the latest first. */
  readonly removed?: Readonly<Record<string, readonly string[]>>;
  /**
   * The placements of install strategies as the sources have them, by add-on, where a promotion holds back what some of them name.
   * @default - no promotion holds anything back
   */
  readonly waiting?: Readonly<Record<string, readonly object[]>>;
  /**
   * The folder of the apps, relative to the folder with the outputs of all apps. Only that folder has it.
   * @default - `apps` beside it
   */
  readonly apps?: string;
}

/** The data that synth stores besides the names of the files. */
export type OutputMemory = Partial<Pick<Ownership, 'revisions' | 'removed' | 'waiting' | 'apps'>>;

/** The differences between an output folder and a tree; names sorted. */
export interface FolderDifference {
  readonly missing: readonly string[];
  readonly changed: readonly string[];
  /** Files of an earlier synth that the tree no longer has. */
  readonly stale: readonly string[];
}

/**
 * Compares a folder with the output that synth would write there. The calls per file are synchronous because the thread pool
 * costs more than reading a small file.
 */
export async function compareFolder(
  folder: string,
  tree: Tree,
  memory: OutputMemory = {},
): Promise<FolderDifference> {
  const { files: owned } = readOwnership(folder);
  const missing: string[] = [];
  const changed: string[] = [];
  const linked = linkedFolders(folder, foldersOf([...tree.keys(), ...owned]));
  for (const [name, text] of withOwnership(tree, memory)) {
    const file = path.join(folder, name);
    const stats = linked.has(path.dirname(name)) ? undefined : statsOf(file);
    if (stats === undefined) missing.push(name);
    else if (!stats.isFile() || readFileSync(file, 'utf8') !== text) changed.push(name);
  }
  const stale: string[] = [];
  for (const name of owned) {
    if (linked.has(path.dirname(name))) continue;
    if (!tree.has(name) && statsOf(path.join(folder, name)) !== undefined) stale.push(name);
  }
  return { missing: missing.sort(), changed: changed.sort(), stale: stale.sort() };
}

/**
 * Makes the folder contain the tree: writes a temporary folder beside it, then swaps the two, so that a failed run
 * leaves the old folder. A folder that contains the tree already is not touched. Files that synth did not write stay as they are,
 * and those with the same content keep the time of their last change. The run must hold the lock of the workspace.
 *
 * @returns whether anything was written
 * @throws UserError if a file that synth did not write is in the way.
 * @throws DiagnosedError if the folder is a symbolic link.
 */
export async function writeFolder(folder: string, tree: Tree, memory: OutputMemory = {}): Promise<boolean> {
  const outside = [...tree.keys()].find((name) => !isInside(name));
  if (outside !== undefined) throw new Error(`${JSON.stringify(outside)} is no file of an output folder`);
  await mkdir(path.dirname(folder), { recursive: true });
  const { files: owned } = readOwnership(folder);
  const folders = foldersOf(tree.keys());
  const foreign = await foreignEntries(folder, owned, new Set([...foldersOf(owned), ...folders]));
  const inTheWay = foreign.find((name) => tree.has(name) || folders.has(name));
  if (inTheWay !== undefined) {
    throw new UserError(
      `${path.join(folder, inTheWay)} was not written by synth, and synth would overwrite it`,
      'move or delete it, then run synth again',
    );
  }
  const { missing, changed, stale } = await compareFolder(folder, tree, memory);
  const differing = new Set([...missing, ...changed]);
  if (differing.size + stale.length === 0) return false;
  const next = temporaryName(folder);
  const previous = temporaryName(folder, 'previous');
  try {
    await mkdir(next);
    for (const name of folders) await mkdir(path.join(next, name));
    for (const [name, text] of withOwnership(tree, memory)) {
      const target = path.join(next, name);
      if (differing.has(name) || !linkFile(path.join(folder, name), target)) writeFileSync(target, text);
    }
    for (const name of foreign) {
      await mkdir(path.join(next, path.dirname(name)), { recursive: true });
      await carryOver(path.join(folder, name), path.join(next, name));
    }
    if (await exists(folder)) await rename(folder, previous);
    await rename(next, folder);
    await rm(previous, { recursive: true, force: true });
    return true;
  } catch (error) {
    await rm(next, { recursive: true, force: true });
    if (!(await exists(folder)) && (await exists(previous))) await rename(previous, folder);
    throw error;
  }
}

/**
 * Removes what runs that were killed left in the folder with the outputs of all apps. Between its two renames, the old output of an
 * app has only a temporary name: it is restored. The run must hold the lock of the workspace.
 */
export async function recoverOutputs(out: string): Promise<void> {
  if (isLink(out)) return;
  for (const { name, target, role } of temporaryNamesIn(await listFolder(out))) {
    const folder = path.join(out, target);
    if (role === 'previous' && !(await exists(folder))) await rename(path.join(out, name), folder);
    else await rm(path.join(out, name), { recursive: true, force: true });
  }
}

/** Returns undefined if the path does not exist. A link is not followed. */
function statsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Takes a file over into a new folder: a link costs less than a new file. Returns whether the file system has such links. */
function linkFile(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes the files that synth wrote in a folder, and the folder if it is empty then. Links in it are left alone.
 *
 * @throws DiagnosedError if the folder is a symbolic link.
 */
export async function removeFolder(folder: string): Promise<void> {
  const { files } = readOwnership(folder);
  const linked = linkedFolders(folder, foldersOf(files));
  for (const name of [...files, ownershipFile]) {
    if (!linked.has(path.dirname(name))) await rm(path.join(folder, name), { force: true });
  }
  for (const name of [...foldersOf(files), '.']) {
    if (linked.has(name)) continue;
    const leftover = path.join(folder, name);
    if ((await exists(leftover)) && (await listFolder(leftover)).length === 0) await rmdir(leftover);
  }
}

/** Returns the folders below `out` that synth wrote, by name, sorted. */
export async function emittedFolders(out: string): Promise<string[]> {
  const folders: string[] = [];
  for (const name of (await listFolder(out)).sort()) {
    if (!name.startsWith('.') && (await exists(path.join(out, name, ownershipFile)))) folders.push(name);
  }
  return folders;
}

function withOwnership(tree: Tree, memory: OutputMemory): Map<string, string> {
  return new Map([...tree, [ownershipFile, ownershipText(tree, memory)]]);
}

/** Returns the content of the ownership file of a folder with this tree. */
export function ownershipText(
  tree: Tree,
  { revisions = {}, removed = {}, waiting = {}, apps }: OutputMemory = {},
): string {
  const files = [...tree.keys()].sort();
  const ownership = {
    files,
    ...(Object.keys(revisions).length > 0 && { revisions }),
    ...(Object.keys(removed).length > 0 && { removed }),
    ...(Object.keys(waiting).length > 0 && { waiting }),
    ...(apps !== undefined && { apps }),
  };
  return `${JSON.stringify(ownership, null, 2)}\n`;
}

/**
 * Reads the list of the files of a folder that synth owns.
 *
 * @throws UserError if the file is not a valid ownership file.
 * @throws DiagnosedError if the folder or the file is a symbolic link.
 */
export function readOwnership(folder: string): Ownership {
  for (const place of [folder, path.join(folder, ownershipFile)])
    if (isLink(place)) throw linkInOutput(place);
  const file = path.join(folder, ownershipFile);
  return parseOwnership(readIfPresent(file), file);
}

/**
 * Parses the content of an ownership file; without a text there are no files. If Git could not merge it, both sides count.
 *
 * @throws UserError if the text is not in the format that synth writes. `file` names it.
 */
export function parseOwnership(text: string | undefined, file: string): Ownership {
  if (text === undefined) return { files: [], revisions: {} };
  const [ours, theirs] = conflictSides(text).map(ownershipIn);
  if (ours !== undefined) return theirs === undefined ? ours : unitedOwnership(ours, theirs);
  throw new UserError(
    `${file} is not a list of files that synth wrote`,
    'restore it from Git, or delete the folder and run synth again',
  );
}

function ownershipIn(text: string): Ownership | undefined {
  try {
    const {
      files,
      revisions = {},
      removed,
      waiting,
      apps,
    } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const isValid =
      isFiles(files) &&
      isHistory(revisions) &&
      (removed === undefined || isHistory(removed)) &&
      (waiting === undefined || isWaiting(waiting));
    if (isValid && (apps === undefined || typeof apps === 'string'))
      return {
        files,
        revisions,
        ...(removed && { removed }),
        ...(waiting && { waiting }),
        ...(apps !== undefined && { apps }),
      };
  } catch {
    // reported by the caller, like any other content that is not a list of names
  }
  return undefined;
}

function unitedOwnership(ours: Ownership, theirs: Ownership): Ownership {
  const united = (one: Ownership['revisions'] = {}, other: Ownership['revisions'] = {}) =>
    Object.fromEntries(
      [...new Set([...Object.keys(one), ...Object.keys(other)])].map((key) => [
        key,
        [...new Set([...(one[key] ?? []), ...(other[key] ?? [])])],
      ]),
    );
  return {
    ...ours,
    files: [...new Set([...ours.files, ...theirs.files])],
    revisions: united(ours.revisions, theirs.revisions),
    removed: united(ours.removed, theirs.removed),
  };
}

function isFiles(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && isInside(name));
}

/** Whether a name is that of a file in the folder itself, or in a direct subfolder. */
function isInside(name: string): boolean {
  const parts = name.split('/');
  return (
    parts.length <= 2 &&
    parts.every((part) => !['', '.', '..'].includes(part) && path.basename(part) === part)
  );
}

/**
 * Verifies that no link leads from a folder to the output folder below it: the target of such a link is outside of
 * this repository. Links above the folder, and in paths that lead elsewhere, belong to the user.
 *
 * @throws DiagnosedError if there is such a link.
 */
export function refuseLinkedOutput(cwd: string, out: string): void {
  const steps = path.relative(cwd, path.resolve(cwd, out)).split(path.sep);
  if (steps[0] === '..' || path.isAbsolute(steps[0] ?? '')) return;
  for (let count = 1; count <= steps.length; count++) {
    const place = path.join(cwd, ...steps.slice(0, count));
    if (isLink(place)) throw linkInOutput(path.relative(cwd, place));
  }
}

function linkInOutput(place: string): DiagnosedError {
  return new DiagnosedError(
    diagnostic('FW9033', {
      message: `${place} is a symbolic link, and synth neither writes nor deletes through links`,
      hint: 'replace the link with a folder, or pass its target with --out',
    }),
  );
}

/** Returns the folders among some folders of an output folder that are links. */
function linkedFolders(folder: string, names: Iterable<string>): ReadonlySet<string> {
  const linked = new Set<string>();
  for (const name of names) if (isLink(path.join(folder, name))) linked.add(name);
  return linked;
}

function isLink(file: string): boolean {
  return statsOf(file)?.isSymbolicLink() === true;
}

/** Returns the folders of the files, other than the folder that contains all of them. */
function foldersOf(files: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const file of files) if (file.includes('/')) folders.add(path.posix.dirname(file));
  return folders;
}

/** Returns the entries of a folder that synth does not own; `shared` are folders that may contain both. */
async function foreignEntries(
  folder: string,
  files: readonly string[],
  shared: ReadonlySet<string>,
): Promise<string[]> {
  const owned = new Set([...files, ownershipFile]);
  const foreign: string[] = [];
  for (const name of await listFolder(folder)) {
    const isShared = shared.has(name) && (await lstat(path.join(folder, name))).isDirectory();
    if (isShared) {
      for (const below of await listFolder(path.join(folder, name)))
        if (!owned.has(`${name}/${below}`)) foreign.push(`${name}/${below}`);
    } else if (!owned.has(name)) foreign.push(name);
  }
  return foreign;
}

function isHistory(value: unknown): value is Ownership['revisions'] {
  return typeof value === 'object' && value !== null && Object.values(value).every(isFiles);
}

function isWaiting(value: unknown): value is NonNullable<Ownership['waiting']> {
  return (
    isJsonMap(value) && Object.values(value).every((list) => Array.isArray(list) && list.every(isJsonMap))
  );
}

async function carryOver(from: string, to: string): Promise<void> {
  if ((await lstat(from)).isFile()) {
    try {
      await link(from, to);
      return;
    } catch {
      // no hard links here: copy
    }
  }
  await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function readIfPresent(file: string): string | undefined {
  if (statsOf(file) === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether a path exists. */
export async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
