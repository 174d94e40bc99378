import type { Delivery } from '../../configure/delivery.ts';
import { objectKey } from '../../model/inventory.ts';
import type { RoleBinding } from '../../../ocm/role-binding.ts';

/**
 * Returns the bindings of one add-on outside the namespaces of its clusters. Every cluster writes them. On the hub, it is random
 * which cluster creates a binding and so decides its role, and which is last, so that its agent is the subject. Here the order of
 * the cluster names decides.
 *
 * @param apply adds the bindings of one cluster's agent to the existing ones
 */
export function sharedBindings(
  delivery: Delivery,
  clusters: Iterable<string>,
  apply: (cluster: string, bindings: Map<string, RoleBinding>) => void,
): ReadonlyMap<string, RoleBinding> {
  const shared = new Map<string, RoleBinding>();
  for (const cluster of clusters) {
    // The companion creates separate bindings for every cluster, so that the bindings of clusters never conflict.
    const bindings = new Map(delivery === 'compiled' ? [] : shared);
    apply(cluster, bindings);
    for (const binding of bindings.values()) {
      const { namespace, name } = binding.metadata;
      if (namespace !== cluster) shared.set(objectKey(namespace, name), binding);
    }
  }
  return shared;
}
