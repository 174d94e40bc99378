import type { OwnerReference } from '../../schemas/object-meta.ts';

/** How what the hub makes for an add-on refers to its ManagedClusterAddOn; the uid only the hub knows. */
export function addOnOwner(addOn: string): OwnerReference {
  return { apiVersion: 'addon.open-cluster-management.io/v1beta1', kind: 'ManagedClusterAddOn', name: addOn };
}
