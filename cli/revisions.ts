import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileName } from '../compiler/emit/file-name.ts';
import { load } from '../compiler/load/load.ts';
import { historyLimitAnnotation, revisionOfAnnotation } from '../constructs/revision.ts';
import type { KubernetesObject } from '../schemas/object-meta.ts';
import { readOwnership, type Ownership } from './output-folder.ts';

/** So many earlier revisions are left where the object does not say otherwise. */
const defaultHistoryLimit = 2;

/** The files of each immutable object's revisions, the latest first. */
export type Revisions = Ownership['revisions'];

/** What stays in an output folder beside the objects that an app gives now. */
export interface KeptRevisions {
  /** Earlier revisions of immutable objects. */
  readonly objects: readonly KubernetesObject[];
  readonly revisions: Revisions;
}

/**
 * The revisions of immutable objects that the folder holds and that stay: clusters whose turn in a rollout has not come
 * still use them. Those of objects that the app does not have any more go.
 */
export async function keptRevisions(
  folder: string,
  objects: readonly KubernetesObject[],
): Promise<KeptRevisions> {
  const { files, revisions: earlier } = await readOwnership(folder);
  // Whichever way the files were laid out when they were written.
  const written = new Map(files.map((file) => [path.basename(file), file]));
  const given = new Set(objects.map(fileName));
  const kept: KubernetesObject[] = [];
  const revisions: Record<string, readonly string[]> = {};
  for (const object of objects) {
    const name = object.metadata.annotations?.[revisionOfAnnotation];
    if (name === undefined) continue;
    const key = fileName({ ...object, metadata: { ...object.metadata, name } });
    const current = fileName(object);
    const limit = Number(object.metadata.annotations?.[historyLimitAnnotation] ?? defaultHistoryLimit);
    const past: string[] = [];
    for (const file of earlier[key] ?? []) {
      const place = written.get(file);
      if (given.has(file) || past.length >= limit || place === undefined) continue;
      const revision = await readRevision(path.join(folder, place));
      if (revision === undefined) continue;
      kept.push(revision);
      past.push(file);
    }
    revisions[key] = [current, ...past];
  }
  return { objects: kept, revisions };
}

/** The object in a file; undefined where somebody removed it, or made something else of it. */
async function readRevision(file: string): Promise<KubernetesObject | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const [loaded] = load([{ file, text, source: 'app' }]).value;
  return loaded !== undefined && fileName(loaded.object) === path.basename(file) ? loaded.object : undefined;
}
