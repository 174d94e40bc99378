import type { OwnerReference } from '../../../base/objects/object-meta.ts';
import type { AddOnApiVersion } from '../../../ocm/hub-version.ts';

/** Returns the reference to the ManagedClusterAddOn in objects that the hub creates for an add-on. Only the hub knows the uid. */
export function addOnOwner(addOn: string, version: AddOnApiVersion): OwnerReference {
  return {
    apiVersion: `addon.open-cluster-management.io/${version}`,
    kind: 'ManagedClusterAddOn',
    name: addOn,
  };
}
