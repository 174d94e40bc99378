import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { waveAnnotation, withAnnotations } from '../../ocm/annotations.ts';
import { overrideMode } from '../cluster-overrides/override-mode.ts';
import { positionOf, type Stage } from './sync-order.ts';

/** The tools that can apply an emitted tree. The engine determines how the tree expresses the order. */
export const engines = ['argocd', 'flux', 'none'] as const;

/**
 * - `argocd`: an annotation of each object contains its sync wave. One Argo CD Application applies the folder.
 * - `flux`: there is one folder per stage. One Flux Kustomization per stage applies it and depends on the previous one.
 * - `none`: only the kustomization defines the order.
 */
export type Engine = (typeof engines)[number];

/** Returns the folder of an object within that of its app. Undefined if the files of an app are not in subfolders. */
export function stageFolder(object: KubernetesObject, engine: Engine): Stage | undefined {
  return engine === 'flux' ? positionOf(object).stage : undefined;
}

/** Returns the object with the annotations that the engine needs. */
export function forEngine(object: KubernetesObject, wave: number, engine: Engine): KubernetesObject {
  const inOrder = inWave(object, wave, engine);
  return engine === 'flux' ? objectAfterFlux(inOrder) : inOrder;
}

/**
 * Returns the folder of the objects that compiled delivery writes for clusters. Flux applies one wave after the other. Argo CD
 * reads the wave from the objects, so that the file of a cluster does not move if its wave changes.
 */
export function waveFolder(wave: number, engine: Engine): string {
  return engine === 'flux' ? `wave-${wave}` : 'clusters';
}

/** Returns the number of wave folders among the files of a tree. */
export function countWaveFolders(files: Iterable<string>): number {
  let waves = 0;
  for (const file of files) waves = Math.max(waves, Number(/^wave-(\d+)\//.exec(file)?.[1] ?? 0));
  return waves;
}

/** Adds a sync wave for Argo CD, unless the object has one or this is the default wave. */
export function inWave(object: KubernetesObject, wave: number, engine: Engine): KubernetesObject {
  if (engine !== 'argocd' || wave === 0 || object.metadata.annotations?.[waveAnnotation] !== undefined)
    return object;
  return withAnnotations(object, { [waveAnnotation]: String(wave) });
}

/**
 * Without this, Flux would delete the objects in the companion's inventory, and the add-on with them, when the companion reverts
 * an override.
 */
function objectAfterFlux(object: KubernetesObject): KubernetesObject {
  const isListed = object.kind === 'ManagedClusterAddOn' && overrideMode(object) === 'inventory';
  return isListed ? keptByFlux(object) : object;
}

/** Returns the object with the annotation by which Flux does not delete it when Git no longer has it. */
export function keptByFlux(object: KubernetesObject): KubernetesObject {
  return withAnnotations(object, { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' });
}

/**
 * Returns the object with the annotations by which an engine does not delete it when Git no longer has it, or when the app is
 * deleted, and does not report it as a difference.
 */
export function keptByEngine(object: KubernetesObject, engine: Engine): KubernetesObject {
  if (engine === 'flux') return keptByFlux(object);
  if (engine === 'none') return object;
  return withAnnotations(object, {
    'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
    'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
  });
}
