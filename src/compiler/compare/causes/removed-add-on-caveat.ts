import { staysOnHub } from '../../check/overrides/pruned-overrides.ts';
import { objectKey } from '../../model/inventory.ts';
import type { Pair } from '../resolution-pair.ts';

/**
 * Returns how the GitOps engine deviates from the files if the ManagedClusterAddOn of an add-on on a cluster is no longer in Git.
 * Empty if it does not deviate.
 */
export function removedAddOnCaveat(addOn: string, cluster: string, { base, head, engine }: Pair): string {
  const key = objectKey(cluster, addOn);
  const removed = base.resolution.inventory.managedClusterAddOns.get(key);
  if (removed?.source !== 'app' || !staysOnHub(removed, engine, base.resolution, true)) return '';
  const { inventory, configuration } = head.resolution;
  if (inventory.managedClusterAddOns.get(key)?.source === 'app') return '';
  // Deleting the ClusterManagementAddOn deletes everything that it owns.
  if (!configuration.has(addOn)) return '';
  return 'Argo CD does not delete the ManagedClusterAddOn, because the add-on owns it: the add-on stays installed until someone deletes it on the hub';
}
