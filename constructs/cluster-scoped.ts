import type { KubernetesObject } from '../schemas/object-meta.ts';
import { isClusterScoped } from '../schemas/cluster-scoped.ts';
import { groupOf } from './named-object.ts';

/**
 * The object without the namespace that a cdk8s Chart gives to each object in it, where the kind has none;
 * and without an empty namespace, by which an object of any other cluster-scoped kind says so itself.
 */
export function withFittingNamespace(object: KubernetesObject): KubernetesObject {
  const { namespace, ...metadata } = object.metadata;
  if (namespace === undefined) return object;
  if (namespace !== '' && !isClusterScoped(groupOf(object.apiVersion), object.kind)) return object;
  return { ...object, metadata };
}
