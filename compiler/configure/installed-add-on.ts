import type { ManagedClusterAddOnV1beta1, ManagedClusterV1 } from '../../schemas/types.gen.ts';
import type { ClusterAddOn } from './configuration.ts';

// as OCM's addonmanagement and addonannotation: whatever starts so, slash or not
const prefix = 'addon.open-cluster-management.io';

/**
 * The annotations of a cluster that the hub copies to the ManagedClusterAddOns that it makes there; those of a
 * ManagedClusterAddOn that it then holds against them.
 */
export function syncedAnnotations(
  object: Pick<ManagedClusterV1, 'metadata'> | undefined,
): Readonly<Record<string, string>> {
  const annotations = Object.entries(object?.metadata.annotations ?? {});
  return Object.fromEntries(annotations.filter(([key]) => key.startsWith(prefix)));
}

/** A ManagedClusterAddOn as somebody wrote it, or as OCM's addonmanagement makes it on a cluster that a placement selects. */
export function installedAddOn(
  addOn: string,
  { cluster, written }: Pick<ClusterAddOn, 'cluster' | 'written'>,
  managedCluster: ManagedClusterV1 | undefined,
): ManagedClusterAddOnV1beta1 {
  if (written !== undefined) return written.object;
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
