import type { KubernetesObject } from '../../schemas/object-meta.ts';
import type { CompiledCluster } from '../deliver/compiled-clusters.ts';
import { forEngine, inWave, stageFolder, waveFolder, type Engine } from './engine.ts';
import { fileName } from './file-name.ts';
import { asManaged } from './managed-by.ts';
import { kustomization, kustomizationFile } from './kustomization.ts';
import { positionOf, stages } from './order.ts';
import { yamlDocument } from './yaml.ts';

/** Files by name, in the order in which they are listed; those of a folder within the tree as `folder/name`. */
export type Tree = ReadonlyMap<string, string>;

/** The file that says what the hub makes of the objects: for reviewers, not applied. */
export const resolutionFile = 'resolution.yaml';

/** What an app has beside the objects that are written one by one. */
export interface EmitOptions {
  /** The clusters of add-ons with compiled delivery. @default - none */
  readonly compiled?: Iterable<CompiledCluster>;
  /** The number of wave folders that an earlier run wrote. @default 0 */
  readonly earlierWaves?: number;
}

/**
 * The folder that Argo CD or Flux applies: one file per object, a kustomization that lists them in the order in which they
 * are needed, and the resolution for reviewers. Objects are written as they are given, complete after defaulting, without
 * the server's fields, with what the engine needs to apply them in order, and with the managed-by label. What compiled
 * delivery puts on a cluster is one file in a folder beside the others.
 *
 * Flux applies one folder per stage. Every stage has its folder, also without objects: a Kustomization whose path is missing
 * fails and prunes nothing. For the same reason a wave folder stays once it was written.
 */
export function emit(
  objects: readonly KubernetesObject[],
  resolution: object,
  engine: Engine,
  { compiled = [], earlierWaves = 0 }: EmitOptions = {},
): Tree {
  const files = objects.map((object) => {
    const folder = stageFolder(object, engine);
    return {
      rank: positionOf(object).rank,
      folder,
      name: folder === undefined ? fileName(object) : `${folder}/${fileName(object)}`,
      object,
    };
  });
  files.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
  const tree = new Map<string, string>();
  for (const { name, object } of files) {
    if (tree.has(name)) throw new Error(`two objects share the file ${name}`);
    tree.set(name, yamlDocument(withoutServerFields(asManaged(forEngine(object, engine), engine))));
  }
  const resources: string[] = files.filter(({ folder }) => folder === undefined).map(({ name }) => name);
  for (const stage of engine === 'flux' ? stages : []) {
    const inStage = files
      .filter(({ folder }) => folder === stage)
      .map(({ name }) => name.slice(stage.length + 1));
    tree.set(`${stage}/${kustomizationFile}`, kustomization(inStage));
    resources.push(stage);
  }
  for (const [folder, names] of emitClusters(compiled, engine, earlierWaves, tree)) {
    tree.set(`${folder}/${kustomizationFile}`, kustomization(names.sort()));
    resources.push(folder);
  }
  tree.set(kustomizationFile, kustomization(resources));
  tree.set(resolutionFile, yamlDocument(resolution));
  return tree;
}

/** Adds the files of compiled clusters; returns their names by folder, folders in the order of the waves. */
function emitClusters(
  compiled: Iterable<CompiledCluster>,
  engine: Engine,
  earlierWaves: number,
  tree: Map<string, string>,
): ReadonlyMap<string, string[]> {
  const folders = new Map<string, { readonly wave: number; readonly names: string[] }>();
  const folderOf = (wave: number) => {
    const folder = waveFolder(wave, engine);
    const entry = folders.get(folder) ?? { wave, names: [] };
    folders.set(folder, entry);
    return { folder, names: entry.names };
  };
  for (const { turn: wave, objects } of compiled) {
    const { folder, names } = folderOf(wave);
    const name = fileName(objects[0]);
    if (tree.has(`${folder}/${name}`)) throw new Error(`two clusters share the file ${folder}/${name}`);
    names.push(name);
    const documents = objects.map((object) =>
      yamlDocument(withoutServerFields(asManaged(inWave(object, wave, engine), engine))),
    );
    tree.set(`${folder}/${name}`, documents.join('---\n'));
  }
  if (engine === 'flux') for (let wave = 1; wave <= earlierWaves; wave++) folderOf(wave);
  const inOrder = [...folders].sort(([, a], [, b]) => a.wave - b.wave);
  return new Map(inOrder.map(([folder, { names }]) => [folder, names]));
}

const serverFields = new Set([
  'creationTimestamp',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/** Status and the server's own metadata are the hub's to write: in Git they would be a difference for ever. */
export function withoutServerFields({
  status: _status,
  metadata,
  ...rest
}: KubernetesObject): KubernetesObject {
  const kept = Object.entries(metadata).filter(([field]) => !serverFields.has(field));
  return { ...rest, apiVersion: rest.apiVersion, kind: rest.kind, metadata: Object.fromEntries(kept) };
}
