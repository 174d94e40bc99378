import type { OwnerReference } from '../../schemas/object-meta.ts';
import type { AddOnApiVersion } from '../hub-version.ts';

/** How what the hub makes for an add-on refers to its ManagedClusterAddOn; the uid only the hub knows. */
export function addOnOwner(addOn: string, version: AddOnApiVersion): OwnerReference {
  return {
    apiVersion: `addon.open-cluster-management.io/${version}`,
    kind: 'ManagedClusterAddOn',
    name: addOn,
  };
}
