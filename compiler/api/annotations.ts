import type { KubernetesObject } from '../../schemas/object-meta.ts';

/** In which wave Argo CD applies an object. */
export const waveAnnotation = 'argocd.argoproj.io/sync-wave';

/** On a Placement: `true` where its decisions stay as they are. */
export const schedulingDisabledAnnotation =
  'cluster.open-cluster-management.io/experimental-scheduling-disable';

/** The object with other annotations, and without any where none is left. */
export function withAnnotations<T extends Pick<KubernetesObject, 'metadata'>>(
  object: T,
  change: Readonly<Record<string, string | undefined>>,
): T {
  const { annotations, ...metadata } = object.metadata;
  const entries = Object.entries({ ...annotations, ...change }).filter(([, value]) => value !== undefined);
  return {
    ...object,
    metadata: entries.length === 0 ? metadata : { ...metadata, annotations: Object.fromEntries(entries) },
  };
}
