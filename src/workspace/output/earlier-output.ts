import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isJsonMap } from '../../base/json/json-map.ts';
import { load } from '../../compiler/index.ts';
import { fileName } from '../../compiler/emit/file-name.ts';
import { defaultHistoryLimit, historyLimit } from '../../compiler/emit/history-limit.ts';
import { isManifest } from '../../compiler/emit/manifest-file.ts';
import { groupBy } from '../../base/collections/groups.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { revisionOfAnnotation } from '../../ocm/fleetwright-annotations.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { historyLimitOf, type HistoryLimits } from '../settings/history-limits.ts';
import { readCommitted } from '../files-in-commit.ts';
import { mergeHistory } from './merge-history.ts';
import { ownershipFile, parseOwnership, readOwnership, type Ownership } from './output-folder.ts';

/** The output of an earlier run for one app. */
export interface EarlierOutput {
  readonly ownership: Ownership;
  /** Returns the texts of these files by name. A missing file is left out. */
  readonly read: (files: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** The outputs of other commits whose objects stay, too: the base of a request, the other side of a merge. @default - none */
  readonly others?: readonly EarlierOutput[];
  /** The number of earlier revisions, and of removed objects of each kind, that the next output keeps. @default 10 */
  readonly historyLimit?: number;
}

/**
 * Returns the outputs of an earlier run below `out`, by app. If Git has the output, the last commit counts, not the
 * working tree: clusters use the committed output, however often synth ran since.
 *
 * @param options.commits - other commits whose objects stay, too
 * @throws UserError if an ownership file is not valid.
 */
export async function earlierOutputs(
  out: string,
  apps: readonly string[],
  {
    historyLimits,
    commits = [],
  }: { readonly historyLimits: HistoryLimits; readonly commits?: readonly string[] },
): Promise<ReadonlyMap<string, EarlierOutput>> {
  const lists = [ownershipFile, ...apps.map((app) => `${app}/${ownershipFile}`)];
  const committed = await readCommitted(out, lists);
  const outputs = new Map<string, EarlierOutput>();
  for (const app of apps) {
    const list = `${app}/${ownershipFile}`;
    const ownership =
      committed.size > 0
        ? parseOwnership(committed.get(list), path.join(out, list))
        : readOwnership(path.join(out, app));
    const readTexts = committed.size > 0 ? readCommitted : readFolder;
    const read = async (files: readonly string[]): ReturnType<EarlierOutput['read']> =>
      await readTexts(path.join(out, app), files);
    const others = await Promise.all(commits.map((commit) => outputAt(commit, path.join(out, app))));
    outputs.set(app, {
      ownership,
      read,
      others: others.filter((other) => other.ownership.files.length > 0),
      historyLimit: historyLimitOf(app, historyLimits),
    });
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
export function outputIn(folder: string): EarlierOutput {
  return { ownership: readOwnership(folder), read: async (files) => await readFolder(folder, files) };
}

async function readFolder(folder: string, files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  if (files.length === 0) return texts;
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
 * Returns the revisions of immutable objects that the earlier outputs contain and that are kept: clusters whose wave has not
 * started still use them.
 */
export async function earlierRevisions(
  earlier: EarlierOutput,
  objects: readonly KubernetesObject[],
): Promise<EarlierRevisions> {
  const immutable = objects.filter(
    ({ metadata }) => metadata.annotations?.[revisionOfAnnotation] !== undefined,
  );
  if (immutable.length === 0) return { objects: [], revisions: {} };
  const current = new Set(objects.map(fileName));
  const outputs = outputsOf(earlier);
  const histories = immutable.map((object) => {
    const key = revisionKey(object);
    const pastIn = (output: EarlierOutput): readonly string[] =>
      (output.ownership.revisions[key] ?? []).filter((file) => !current.has(file) && hasFile(output, file));
    const isReplaced = (output: EarlierOutput): readonly string[] =>
      pastIn(output).filter((file) => file === output.ownership.revisions[key]?.[0]);
    const [own = [], ...others] = outputs.map(pastIn);
    const replaced = outputs.flatMap(isReplaced);
    const isNew = new Set(isReplaced(earlier));
    const limit = historyLimit(object, earlier.historyLimit ?? defaultHistoryLimit);
    return {
      object,
      files: mergeHistory({ own: own.filter((file) => !isNew.has(file)), others, limit, replaced }),
    };
  });
  const revisionsByFile = await readObjects(
    outputs,
    histories.flatMap(({ files }) => files),
  );
  const past: KubernetesObject[] = [];
  const revisions: Record<string, readonly string[]> = {};
  for (const { object, files } of histories) {
    const staying = files.filter((file) => revisionsByFile.has(file));
    past.push(...staying.flatMap((file) => revisionsByFile.get(file) ?? []));
    revisions[revisionKey(object)] = [fileName(object), ...staying];
  }
  return { objects: past, revisions };
}

/** Returns an output and those of the other commits whose objects stay. */
export function outputsOf(earlier: EarlierOutput): readonly EarlierOutput[] {
  return [earlier, ...(earlier.others ?? [])];
}

/** Returns the files of an output by name. The folder of a file depends on the engine. */
function filesByName({ ownership }: EarlierOutput): ReadonlyMap<string, string> {
  return getOrInsertComputed(
    namesOfFiles,
    ownership,
    () => new Map(ownership.files.map((file) => [path.basename(file), file])),
  );
}
const namesOfFiles = new WeakMap<Ownership, ReadonlyMap<string, string>>();

function hasFile(output: EarlierOutput, name: string): boolean {
  return filesByName(output).has(name);
}

/** Returns the objects of some files, by name, each from the first output that has it. */
async function readObjects(
  outputs: readonly EarlierOutput[],
  names: readonly string[],
): Promise<Map<string, KubernetesObject>> {
  const objects = new Map<string, KubernetesObject>();
  for (const output of outputs) {
    const files = names.flatMap((name) => (objects.has(name) ? [] : (filesByName(output).get(name) ?? [])));
    const texts = await output.read(files);
    for (const file of files) {
      const object = objectIn(texts.get(file), file);
      if (object !== undefined) objects.set(path.basename(file), object);
    }
  }
  return objects;
}

/**
 * Returns the objects that the output of the base keeps and that leave Git with the next one: those beyond the history limit.
 *
 * @param remaining - the names of the files of the next output
 */
export async function droppedObjects(
  output: EarlierOutput,
  remaining: ReadonlySet<string>,
): Promise<readonly KubernetesObject[]> {
  const { revisions, removed = {} } = output.ownership;
  const kept = [...Object.values(revisions).flatMap(([, ...past]) => past), ...Object.values(removed).flat()];
  const objects = await readObjects(
    [output],
    kept.filter((file) => !remaining.has(file)),
  );
  return [...objects.values()];
}

function revisionKey(object: KubernetesObject): string {
  const name = object.metadata.annotations?.[revisionOfAnnotation] ?? '';
  return fileName({ ...object, metadata: { ...object.metadata, name } });
}

/** Objects that earlier outputs have and that an app no longer has. */
export interface RemovedObjects {
  /** The objects by the name of their file, the latest removed ones first. */
  readonly objects: ReadonlyMap<string, KubernetesObject>;
  /** Returns the files to keep of some of these objects, by kind: `placement`, `addontemplate`. */
  readonly history: (files: readonly string[]) => Readonly<Record<string, readonly string[]>>;
}

/**
 * Returns the objects of the earlier outputs that the next one no longer has. `present` contains the file names of the objects
 * of all apps: an object whose file name is among them has moved to another app.
 */
export async function removedObjects(
  earlier: EarlierOutput,
  next: Pick<Ownership, 'revisions'> & { readonly files: Iterable<string> },
  present: ReadonlySet<string>,
): Promise<RemovedObjects> {
  const current = new Set([...next.files].map((file) => path.basename(file)));
  const outputs = outputsOf(earlier);
  const isGone = (name: string): boolean =>
    name.includes('_') && isManifest(name) && !current.has(name) && !present.has(name);
  const goneIn = ({ ownership }: EarlierOutput): readonly string[] =>
    ownership.files.map((file) => path.basename(file)).filter(isGone);
  const objects = await readObjects(outputs, [...new Set(outputs.flatMap(goneIn))]);
  const history: RemovedObjects['history'] = (files) => {
    const kept: Record<string, readonly string[]> = {};
    for (const [kind, ofKind] of groupBy([...files].sort(), kindOfFile)) {
      const names = new Set(ofKind);
      const listIn = (output: EarlierOutput): readonly string[] =>
        (output.ownership.removed?.[kind] ?? []).filter((file) => names.has(file));
      const replacedIn = (output: EarlierOutput): readonly string[] => {
        const listed = new Set(listIn(output));
        const beyondLimit = new Set(
          Object.keys(next.revisions).flatMap((key) => output.ownership.revisions[key]?.slice(1) ?? []),
        );
        const isReplaced = (file: string): boolean => !listed.has(file) && !beyondLimit.has(file);
        return goneIn(output).filter((file) => names.has(file) && isReplaced(file));
      };
      const [own = [], ...others] = outputs.map(listIn);
      const replaced = outputs.flatMap(replacedIn);
      const merged = mergeHistory({
        own,
        others,
        replaced,
        limit: earlier.historyLimit ?? defaultHistoryLimit,
      });
      // The next run would not write an empty list, so the output would differ without a change.
      if (merged.length > 0) kept[kind] = merged;
    }
    return kept;
  };
  return { objects, history };
}

/** Returns the kind with which the name of a file begins. */
function kindOfFile(file: string): string {
  return file.slice(0, file.indexOf('_'));
}

/** Returns the object of an emitted file; undefined if the file is missing or contains another object. */
export function objectIn(text: string | undefined, file: string): KubernetesObject | undefined {
  if (text === undefined) return undefined;
  const [loaded] = load([{ file, text, source: 'app' }]).value;
  // Of the files that synth writes, a kustomization and the resolution are no objects.
  if (loaded === undefined || !isJsonMap(loaded.object.metadata)) return undefined;
  return fileName(loaded.object) === path.basename(file) ? loaded.object : undefined;
}
