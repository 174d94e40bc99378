import { staysOnHub } from '../check/overrides/pruned-overrides.ts';
import { objectKey } from '../inventory.ts';
import type { Pair } from './resolution-pair.ts';

/**
 * What the GitOps engine does otherwise than the files say, where the ManagedClusterAddOn of an add-on on a cluster is no longer in
 * Git; empty where it does as they say.
 */
export function removedAddOnCaveat(addOn: string, cluster: string, { base, head, engine }: Pair): string {
  const key = objectKey(cluster, addOn);
  const removed = base.resolution.inventory.managedClusterAddOns.get(key);
  if (removed?.source !== 'app' || !staysOnHub(removed, engine, base.resolution, true)) return '';
  const { inventory, configuration } = head.resolution;
  if (inventory.managedClusterAddOns.get(key)?.source === 'app') return '';
  // With the ClusterManagementAddOn everything goes that it owns.
  if (!configuration.has(addOn)) return '';
  return 'Argo CD does not delete the ManagedClusterAddOn, because the add-on owns it: the add-on stays installed until someone deletes it on the hub';
}
