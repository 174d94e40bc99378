import type { Delivery } from '../configure/delivery.ts';
import { objectKey } from '../inventory.ts';
import type { RoleBinding } from './hub-permissions.ts';

/**
 * The bindings of one add-on outside the namespaces of its clusters. Every cluster writes them; which one creates a
 * binding, and so settles its role, and which one is last, so that its agent is the subject, is chance on the hub. Here it
 * goes by the names of the clusters.
 *
 * @param apply adds the bindings of one cluster's agent to those that are there
 */
export function sharedBindings(
  delivery: Delivery,
  clusters: Iterable<string>,
  apply: (cluster: string, bindings: Map<string, RoleBinding>) => void,
): ReadonlyMap<string, RoleBinding> {
  const shared = new Map<string, RoleBinding>();
  for (const cluster of clusters) {
    // The companion gives every cluster bindings of its own: none meets those of another.
    const bindings = new Map(delivery === 'compiled' ? [] : shared);
    apply(cluster, bindings);
    for (const binding of bindings.values()) {
      const { namespace, name } = binding.metadata;
      if (namespace !== cluster) shared.set(objectKey(namespace, name), binding);
    }
  }
  return shared;
}
