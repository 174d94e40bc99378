import type { KubernetesObject } from '../src/base/objects/object-meta.ts';
import { isClusterScoped } from '../schemas/cluster-scoped.ts';
import { groupOf } from '../src/base/names/resource-name.ts';

/**
 * Returns the object without a namespace if its kind is cluster-scoped, because a cdk8s Chart adds its namespace to
 * each object. Also removes an empty namespace, which marks objects of other cluster-scoped kinds.
 */
export function withFittingNamespace(object: KubernetesObject): KubernetesObject {
  const { namespace, ...metadata } = object.metadata;
  if (namespace === undefined) return object;
  if (namespace !== '' && !isClusterScoped(groupOf(object.apiVersion), object.kind)) return object;
  return { ...object, metadata };
}
