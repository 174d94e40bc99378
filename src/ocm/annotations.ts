import type { KubernetesObject } from '../base/objects/object-meta.ts';

/** The wave in which Argo CD applies an object. */
export const waveAnnotation = 'argocd.argoproj.io/sync-wave';

/** On a work: the spec hashes of the configurations that it was rendered with, as JSON by `resource.group/namespace/name`. */
export const specHashAnnotation = 'open-cluster-management.io/config-spec-hash';

/** On a Placement: `true` if its decisions must not change. */
export const schedulingDisabledAnnotation =
  'cluster.open-cluster-management.io/experimental-scheduling-disable';

/** Returns the object with other annotations, or without the field if there are none. */
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
