import type { ManagedClusterV1 } from '../schemas/types.gen.ts';

// as OCM's addonmanagement and addonannotation: whatever starts so, slash or not
const prefix = 'addon.open-cluster-management.io';

/** The annotations of a cluster that the hub copies to the ManagedClusterAddOns that it makes there. */
export function syncedAnnotations(cluster: ManagedClusterV1 | undefined): Readonly<Record<string, string>> {
  const annotations = Object.entries(cluster?.metadata.annotations ?? {});
  return Object.fromEntries(annotations.filter(([key]) => key.startsWith(prefix)));
}
