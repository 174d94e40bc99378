import type { KubernetesObject } from '../../schemas/object-meta.ts';
import { waveAnnotation, withAnnotations } from '../api/annotations.ts';
import { overrideMode } from '../override/override-mode.ts';
import { positionOf, type Stage } from './order.ts';

/** What applies an emitted tree, and so the way in which the tree says what comes before what. */
export const engines = ['argocd', 'flux', 'none'] as const;

/**
 * - `argocd`: objects say their sync wave in an annotation; one Argo CD Application applies the folder.
 * - `flux`: objects stand in a folder a stage; one Flux Kustomization a stage applies them, each depending on the one
 *   before it.
 * - `none`: the order of the kustomization is all.
 */
export type Engine = (typeof engines)[number];

/** The folder of an object within that of its app; none where the files of an app stand side by side. */
export function stageFolder(object: KubernetesObject, engine: Engine): Stage | undefined {
  return engine === 'flux' ? positionOf(object).stage : undefined;
}

/** The object with what the engine has to know of it. */
export function forEngine(object: KubernetesObject, engine: Engine): KubernetesObject {
  const inOrder = inWave(object, positionOf(object).wave, engine);
  return engine === 'flux' ? leftByFlux(inOrder) : inOrder;
}

/**
 * The folder of what compiled delivery puts on clusters. Flux applies one wave after the other; Argo CD reads the wave in the
 * objects, so that a cluster whose wave changes stays in its file.
 */
export function waveFolder(wave: number, engine: Engine): string {
  return engine === 'flux' ? `wave-${wave}` : 'clusters';
}

/** The number of wave folders among the files of a tree. */
export function countWaveFolders(files: Iterable<string>): number {
  let waves = 0;
  for (const file of files) waves = Math.max(waves, Number(/^wave-(\d+)\//.exec(file)?.[1] ?? 0));
  return waves;
}

/** With a sync wave for Argo CD, unless it says one itself or this is the wave of those that say nothing. */
export function inWave(object: KubernetesObject, wave: number, engine: Engine): KubernetesObject {
  if (engine !== 'argocd' || wave === 0 || object.metadata.annotations?.[waveAnnotation] !== undefined)
    return object;
  return withAnnotations(object, { [waveAnnotation]: String(wave) });
}

/** Flux would delete what is in the companion's inventory, and the add-on with it, where the companion takes back an override. */
function leftByFlux(object: KubernetesObject): KubernetesObject {
  const isListed = object.kind === 'ManagedClusterAddOn' && overrideMode(object) === 'inventory';
  return isListed ? withAnnotations(object, { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' }) : object;
}
