import type { ManagedClusterAddOnV1beta1, ManagedClusterV1 } from '../../../schemas/types.gen.ts';
import type { ClusterAddOn } from './resolved-add-on.ts';

// As OCM's addonmanagement and addonannotation: every key with this prefix, with or without a slash.
const prefix = 'addon.open-cluster-management.io';

/**
 * Returns the annotations of a cluster that the hub copies to the ManagedClusterAddOns that it creates there. For a
 * ManagedClusterAddOn, returns the annotations that the hub compares with them.
 */
export function syncedAnnotations(
  object: Pick<ManagedClusterV1, 'metadata'> | undefined,
): Readonly<Record<string, string>> {
  const annotations = Object.entries(object?.metadata.annotations ?? {});
  return Object.fromEntries(annotations.filter(([key]) => key.startsWith(prefix)));
}

/**
 * Returns a ManagedClusterAddOn as the user wrote it, or as OCM's addonmanagement creates it on a cluster that a placement
 * selects.
 */
export function installedAddOn(
  addOn: string,
  { cluster, managedClusterAddOn }: Pick<ClusterAddOn, 'cluster' | 'managedClusterAddOn'>,
  managedCluster: ManagedClusterV1 | undefined,
): ManagedClusterAddOnV1beta1 {
  if (managedClusterAddOn !== undefined) return managedClusterAddOn.object;
  const annotations = syncedAnnotations(managedCluster);
  return {
    apiVersion: 'addon.open-cluster-management.io/v1beta1',
    kind: 'ManagedClusterAddOn',
    metadata: {
      name: addOn,
      namespace: cluster,
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    spec: {},
  };
}
