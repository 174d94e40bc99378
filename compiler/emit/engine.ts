import type { KubernetesObject } from '../../schemas/object-meta.ts';
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

const waveAnnotation = 'argocd.argoproj.io/sync-wave';

/** The folder of an object within that of its app; none where the files of an app stand side by side. */
export function stageFolder(object: KubernetesObject, engine: Engine): Stage | undefined {
  return engine === 'flux' ? positionOf(object).stage : undefined;
}

/** The object with its sync wave, unless it says one itself or is of the wave of those that say nothing. */
export function inItsWave(object: KubernetesObject, engine: Engine): KubernetesObject {
  const { wave } = positionOf(object);
  const { annotations } = object.metadata;
  if (engine !== 'argocd' || wave === 0 || annotations?.[waveAnnotation] !== undefined) return object;
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { ...annotations, [waveAnnotation]: String(wave) } },
  };
}
