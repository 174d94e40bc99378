import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { load, type Tree } from '../../compiler/index.ts';
import { countWaveFolders } from '../../compiler/emit/engine.ts';
import { fileName } from '../../compiler/emit/file-name.ts';
import { historyLimit } from '../../compiler/emit/history-limit.ts';
import { revisionOfAnnotation } from '../../ocm/fleetwright-annotations.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { readCommitted } from './committed-files.ts';
import { ownershipFile, parseOwnership, readOwnership, type Ownership } from './output-folder.ts';

/** The output of an earlier run for one app. */
export interface EarlierOutput {
  readonly ownership: Ownership;
  /** Returns the texts of these files by name. A missing file is left out. */
  readonly read: (files: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/**
 * Returns the outputs of an earlier run below `out`, by app. If Git has the output, the last commit counts, not the
 * working tree: clusters use the committed output, however often synth ran since.
 *
 * @throws UserError if an ownership file is not valid.
 */
export async function earlierOutputs(
  out: string,
  apps: readonly string[],
): Promise<ReadonlyMap<string, EarlierOutput>> {
  const lists = [ownershipFile, ...apps.map((app) => `${app}/${ownershipFile}`)];
  const committed = await readCommitted(out, lists);
  const outputs = new Map<string, EarlierOutput>();
  for (const app of apps) {
    const list = `${app}/${ownershipFile}`;
    const ownership =
      committed.size > 0
        ? parseOwnership(committed.get(list), path.join(out, list))
        : await readOwnership(path.join(out, app));
    const readTexts = committed.size > 0 ? readCommitted : readFolder;
    const read = async (files: readonly string[]): ReturnType<EarlierOutput['read']> =>
      await readTexts(path.join(out, app), files);
    outputs.set(app, { ownership, read });
  }
  return outputs;
}

/**
 * Returns the output of an app in a commit. It has no files if Git has no such commit.
 *
 * @throws UserError if the ownership file is not valid.
 */
export async function outputAt(commit: string, folder: string): Promise<EarlierOutput> {
  const committed = await readCommitted(folder, [ownershipFile], commit);
  return {
    ownership: parseOwnership(
      committed.get(ownershipFile),
      `${commit.slice(0, 12)}:${folder}/${ownershipFile}`,
    ),
    read: async (files) => await readCommitted(folder, files, commit),
  };
}

/** Returns the output of an app in a folder, as it is there. */
export async function outputIn(folder: string): Promise<EarlierOutput> {
  return { ownership: await readOwnership(folder), read: async (files) => await readFolder(folder, files) };
}

async function readFolder(folder: string, files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const real = await realpath(folder).catch(() => folder);
  for (const file of files) {
    const place = path.join(real, file);
    // A link of a pull request could lead to any file of the machine, or to a device.
    if ((await realpath(place).catch(() => undefined)) !== place) continue;
    const text = await readFile(place, 'utf8').catch(() => undefined);
    if (text !== undefined) texts.set(file, text);
  }
  return texts;
}

/** Revisions of immutable objects that are kept beside the objects of an app. */
export interface EarlierRevisions {
  readonly objects: readonly KubernetesObject[];
  readonly revisions: Ownership['revisions'];
}

/**
 * Returns the revisions of immutable objects that the output contains and that are kept: clusters whose wave has not
 * started still use them.
 */
export async function earlierRevisions(
  { ownership, read }: EarlierOutput,
  objects: readonly KubernetesObject[],
): Promise<EarlierRevisions> {
  const immutable = objects.filter(
    ({ metadata }) => metadata.annotations?.[revisionOfAnnotation] !== undefined,
  );
  if (immutable.length === 0) return { objects: [], revisions: {} };
  // The folder of a file depends on the engine.
  const emittedFiles = new Map(ownership.files.map((file) => [path.basename(file), file]));
  const current = new Set(objects.map(fileName));
  const pastOf = (object: KubernetesObject): readonly string[] => {
    const files = ownership.revisions[revisionKey(object)] ?? [];
    return files.filter((file) => !current.has(file) && emittedFiles.has(file));
  };
  const texts = await read(immutable.flatMap(pastOf).map((file) => emittedFiles.get(file) ?? file));
  const past: KubernetesObject[] = [];
  const revisions: Record<string, readonly string[]> = {};
  for (const object of immutable) {
    const limit = historyLimit(object);
    const staying: string[] = [];
    for (const file of pastOf(object)) {
      if (staying.length >= limit) break;
      const revision = objectIn(texts.get(emittedFiles.get(file) ?? file), file);
      if (revision === undefined) continue;
      past.push(revision);
      staying.push(file);
    }
    revisions[revisionKey(object)] = [fileName(object), ...staying];
  }
  return { objects: past, revisions };
}

/**
 * Returns the objects that an output keeps and the next one does not: those that were leaving already, and revisions
 * beyond the history limit.
 *
 * @param objects - those of the next output
 */
export async function droppedObjects(
  { ownership, read }: EarlierOutput,
  objects: readonly KubernetesObject[],
): Promise<readonly KubernetesObject[]> {
  const current = new Set(objects.map(fileName));
  const emittedFiles = new Map(ownership.files.map((file) => [path.basename(file), file]));
  const revisions = objects.flatMap((object) => {
    if (object.metadata.annotations?.[revisionOfAnnotation] === undefined) return [];
    const earlier = ownership.revisions[revisionKey(object)] ?? [];
    return earlier
      .filter((file) => !current.has(file) && emittedFiles.has(file))
      .slice(historyLimit(object))
      .map((file) => emittedFiles.get(file) ?? file);
  });
  // Clusters that were in an earlier wave are in a later one now.
  const leaving = (ownership.leaving?.files ?? []).filter((file) => waveOf(file) === 0);
  const files = [...leaving, ...revisions];
  const texts = await read(files);
  return files.flatMap((file) => objectIn(texts.get(file), file) ?? []);
}

function revisionKey(object: KubernetesObject): string {
  const name = object.metadata.annotations?.[revisionOfAnnotation] ?? '';
  return fileName({ ...object, metadata: { ...object.metadata, name } });
}

/** Objects that an output has and the next one does not, or has in a later wave. */
export interface RemovedObjects {
  /** The digest of the next output. */
  readonly digest: string;
  readonly objects: readonly KubernetesObject[];
  /** Files of clusters in the folder of a wave, such as `wave-1/managedclusteraddon_c1_agent.yaml`, that move to that of a later one. */
  readonly moving: readonly string[];
}

/**
 * Returns the objects of the earlier output that `tree` no longer has, apart from those that were leaving already.
 * Those stay as long as nothing else changes, and are removed then. `present` contains the file names of the objects
 * of all apps.
 */
export async function removedObjects(
  { ownership, read }: EarlierOutput,
  tree: Tree,
  present: ReadonlySet<string>,
): Promise<RemovedObjects> {
  const current = new Set([...tree.keys()].map((file) => path.basename(file)));
  // The history limit keeps earlier revisions.
  const past = new Set(Object.values(ownership.revisions).flatMap(([, ...earlier]) => earlier));
  const isGone = (file: string): boolean => {
    const name = path.basename(file);
    return mayLeave.test(name) && !current.has(name) && !present.has(name) && !past.has(name);
  };
  const waves = new Map(
    [...tree.keys()].flatMap((file) => (waveOf(file) === 0 ? [] : [[path.basename(file), waveOf(file)]])),
  );
  const isMoving = (file: string): boolean =>
    waveOf(file) > 0 && waveOf(file) < (waves.get(path.basename(file)) ?? 0);
  const { leaving } = ownership;
  const wasLeaving = new Set(leaving?.files);
  const digest = ownership.files.some((file) => isGone(file) || isMoving(file)) ? digestOf(tree) : '';
  const staysNow = (file: string): boolean => wasLeaving.has(file) === (leaving?.digest === digest);
  const files = ownership.files.filter((file) => isGone(file) && staysNow(file));
  const texts = await read(files);
  return {
    digest,
    moving: ownership.files.filter((file) => isMoving(file) && staysNow(file)),
    objects: files.flatMap((file) => {
      const object = objectIn(texts.get(file), file);
      return object === undefined ? [] : [object];
    }),
  };
}

/** The files of kinds that are removed one change later. */
const mayLeave =
  /^(?:namespace|placement|managedclusterset(?:binding)?|addontemplate|addondeploymentconfig|managedclusteraddon)_/;

/** Returns the wave in whose folder the file of a cluster is; 0 for other files. */
function waveOf(file: string): number {
  return file.includes('/managedclusteraddon_') ? countWaveFolders([file]) : 0;
}

function digestOf(tree: Tree): string {
  const hash = createHash('sha256');
  for (const [name, text] of tree) hash.update(`${name}\0${text.length}\0${text}`);
  return hash.digest('hex');
}

/** Returns the object of an emitted file; undefined if the file is missing or contains another object. */
export function objectIn(text: string | undefined, file: string): KubernetesObject | undefined {
  if (text === undefined) return undefined;
  const [loaded] = load([{ file, text, source: 'app' }]).value;
  return loaded !== undefined && fileName(loaded.object) === path.basename(file) ? loaded.object : undefined;
}
