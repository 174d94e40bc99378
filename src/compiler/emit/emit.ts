import { compareText } from '../../base/collections/compare-text.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { deletedByAnnotation } from '../../ocm/fleetwright-annotations.ts';
import type { CompiledCluster } from '../deliver/compiled-clusters.ts';
import {
  countWaveFolders,
  forEngine,
  inWave,
  keptByEngine,
  keptByFlux,
  stageFolder,
  waveFolder,
  type Engine,
} from './engine.ts';
import { fileName } from './file-name.ts';
import { withoutServerFields } from '../hub-metadata.ts';
import { asManaged } from './managed-by.ts';
import { kustomization, kustomizationFile } from './kustomization.ts';
import { protectedFromPruning, usedObjects } from './protection.ts';
import { positionOf, stages, syncWaveOf } from './sync-order.ts';
import { yamlDocument } from './yaml.ts';

/** File contents by name, in the order in which they are listed. A file in a folder of the tree has the name `folder/name`. */
export type Tree = ReadonlyMap<string, string>;

/** The file that describes what the hub creates from the objects. It is for reviewers and is not applied. */
export const resolutionFile = 'resolution.yaml';

/** The parts of an app apart from the objects that are written one by one. */
export interface EmitOptions {
  /** The clusters of add-ons with compiled delivery. @default - none */
  readonly compiled?: Iterable<CompiledCluster>;
  /** Files of clusters whose text a promotion has decided. @default - none */
  readonly clusterFiles?: Iterable<ClusterFile>;
  /** The files that earlier runs wrote. @default - none */
  readonly earlierFiles?: readonly string[];
}

/** The file of an add-on with compiled delivery on one cluster. */
export interface ClusterFile {
  /** `folder/name` */
  readonly file: string;
  readonly text: string;
}

/**
 * Returns the folder that Argo CD or Flux applies: one file per object, a kustomization that lists the files in dependency order,
 * and the resolution for reviewers. Objects are written as given: complete after defaulting and without the server's fields. The
 * engine's ordering annotations, those that protect objects from pruning, and the managed-by label are added. The objects of compiled delivery for a cluster are one file
 * in a separate folder.
 *
 * Flux applies one folder per stage. Every stage has a folder, even without objects: a Kustomization whose path is missing
 * fails and prunes nothing. For the same reason, a wave folder remains once it was written.
 */
export function emit(
  objects: readonly KubernetesObject[],
  resolution: object,
  engine: Engine,
  { compiled = [], clusterFiles = [], earlierFiles = [] }: EmitOptions = {},
): Tree {
  const clusters = emitClusters(
    engine === 'flux' ? inEarliestWaves(compiled, earlierFiles) : compiled,
    clusterFiles,
    engine,
    countWaveFolders(earlierFiles),
  );
  const compiledWaves = Math.max(0, ...[...clusters.folders.values()].map(({ wave }) => wave));
  const files = objects.map((object) => {
    const folder = stageFolder(object, engine);
    return {
      rank: positionOf(object).rank,
      wave: syncWaveOf(object, compiledWaves),
      folder,
      name: folder === undefined ? fileName(object) : `${folder}/${fileName(object)}`,
      object,
    };
  });
  files.sort((a, b) => a.rank - b.rank || compareText(a.name, b.name));
  const tree = new Map<string, string>();
  const isUsed = usedObjects(objects);
  for (const { name, object, wave } of files) {
    if (tree.has(name)) throw new Error(`two objects share the file ${name}`);
    const ordered = asManaged(forEngine(object, wave, engine), engine);
    const emitted = isUsed(object) ? protectedFromPruning(ordered, engine) : ordered;
    tree.set(name, yamlDocument(withoutServerFields(emitted)));
  }
  for (const [name, text] of clusters.files) tree.set(name, text);
  const alone = files.filter(({ folder }) => folder === undefined);
  const resources = alone.filter(({ wave }) => wave <= 0).map(({ name }) => name);
  for (const stage of engine === 'flux' ? stages : []) {
    const inStage = files
      .filter(({ folder }) => folder === stage)
      .map(({ name }) => name.slice(stage.length + 1));
    tree.set(`${stage}/${kustomizationFile}`, kustomization(inStage));
    resources.push(stage);
  }
  const byWave = [...clusters.folders].sort(([, a], [, b]) => a.wave - b.wave);
  for (const [folder, { names }] of byWave) {
    tree.set(`${folder}/${kustomizationFile}`, kustomization(names.sort()));
    resources.push(folder);
  }
  resources.push(...alone.filter(({ wave }) => wave > 0).map(({ name }) => name));
  tree.set(kustomizationFile, kustomization(resources));
  tree.set(resolutionFile, yamlDocument(resolution));
  return tree;
}

/** The files of compiled clusters, and the folders that they are in. */
interface ClusterFiles {
  readonly files: ReadonlyMap<string, string>;
  readonly folders: ReadonlyMap<string, { readonly wave: number; readonly names: string[] }>;
}

function emitClusters(
  compiled: Iterable<CompiledCluster>,
  clusterFiles: Iterable<ClusterFile>,
  engine: Engine,
  earlierWaves: number,
): ClusterFiles {
  const files = new Map<string, string>();
  const folders = new Map<string, { wave: number; readonly names: string[] }>();
  const folderOf = (folder: string, wave: number) => {
    const entry = folders.get(folder) ?? { wave, names: [] };
    entry.wave = Math.max(entry.wave, wave);
    folders.set(folder, entry);
    return entry;
  };
  const add = ({ file, text }: ClusterFile, wave: number): void => {
    const [folder = '', name = ''] = file.split('/');
    if (files.has(file)) throw new Error(`two clusters share the file ${file}`);
    folderOf(folder, wave).names.push(name);
    files.set(file, text);
  };
  for (const cluster of compiled) add(clusterFile(cluster, engine), cluster.wave);
  for (const file of clusterFiles) add(file, Math.max(1, countWaveFolders([file.file])));
  if (engine === 'flux')
    for (let wave = 1; wave <= earlierWaves; wave++) folderOf(waveFolder(wave, engine), wave);
  return { files, folders };
}

/**
 * Yields the clusters. Flux prunes the objects of a wave before it applies a later one. If the works of a cluster are not protected,
 * the cluster stays in the earliest wave that an output has it in.
 */
function* inEarliestWaves(
  compiled: Iterable<CompiledCluster>,
  earlierFiles: Iterable<string>,
): Generator<CompiledCluster> {
  const waves = new Map<string, number>();
  for (const file of earlierFiles) {
    const wave = countWaveFolders([file]);
    const name = file.slice(file.indexOf('/') + 1);
    if (wave > 0) waves.set(name, Math.min(wave, waves.get(name) ?? wave));
  }
  for (const cluster of compiled) {
    const [onCluster, ...works] = cluster.objects;
    const moves = !works.some((work) => !isOwned(work, onCluster) && !isLeft(work));
    const earliest = moves ? undefined : waves.get(fileName(onCluster));
    yield earliest === undefined ? cluster : { ...cluster, wave: Math.min(cluster.wave, earliest) };
  }
}

/** Returns the file of an add-on with compiled delivery on one cluster: the ManagedClusterAddOn, then its works. */
export function clusterFile({ wave, objects }: CompiledCluster, engine: Engine): ClusterFile {
  const documents = protectedObjects(objects, engine).map((object) =>
    yamlDocument(withoutServerFields(asManaged(inWave(object, wave, engine), engine))),
  );
  return { file: `${waveFolder(wave, engine)}/${fileName(objects[0])}`, text: documents.join('---\n') };
}

/**
 * Protects what the companion deletes: the ManagedClusterAddOn of a cluster that the ClusterManagementAddOn no longer lists, and
 * works for a hosting cluster after their hooks. On the hub, the ManagedClusterAddOn owns the works in its namespace, so that they
 * are deleted after it. Argo CD does not prune objects that have an owner. Flux would: before the hooks have run, and when the wave
 * of a cluster becomes a later one.
 */
function protectedObjects(
  [onCluster, ...works]: CompiledCluster['objects'],
  engine: Engine,
): readonly KubernetesObject[] {
  if (engine !== 'flux')
    return [onCluster, ...works.map((work) => (isLeft(work) ? keptByEngine(work, engine) : work))];
  return [
    keptByFlux(onCluster),
    ...works.map((work) => (isOwned(work, onCluster) || isLeft(work) ? keptByFlux(work) : work)),
  ];
}

/** Whether the ManagedClusterAddOn owns the work on the hub. */
function isOwned(work: KubernetesObject, onCluster: KubernetesObject): boolean {
  return work.metadata.namespace === onCluster.metadata.namespace;
}

/** Whether the companion deletes the work. */
function isLeft({ metadata }: KubernetesObject): boolean {
  return metadata.annotations?.[deletedByAnnotation] !== undefined;
}
