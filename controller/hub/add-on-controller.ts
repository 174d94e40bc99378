import { nameOfKey, keyOf } from '../kube/object.ts';
import { source, type Controller } from '../queue/controller.ts';
import type { HubContext } from './hub-context.ts';
import { isCompanionManaged } from './managed-add-ons.ts';
import { ownersOf } from './registration/owner-reference.ts';
import { managedClusterAddOns } from './resources.ts';

/** The group and version in which the hub names add-ons as owners. */
const ownerVersion = 'addon.open-cluster-management.io/v1alpha1';

/** Registers the add-ons that the companion looks after, on every cluster. */
export function addOnController({ client, informers, settings }: HubContext): Controller {
  const { clusterManagementAddOns, managedClusterAddOns: onClusters } = informers;
  return {
    name: 'add-on',
    workers: settings.workers,
    sources: [
      source(onClusters, ({ before, after }) => {
        const object = after ?? before;
        return object === undefined ? [] : [keyOf(object)];
      }),
      source(clusterManagementAddOns, ({ before, after }) =>
        onClusters.store.by('addOn', (after ?? before)?.metadata.name ?? '').map(keyOf),
      ),
    ],
    reconcile: async (key, { signal }) => {
      const onCluster = onClusters.store.get(key);
      if (onCluster === undefined || onCluster.metadata.deletionTimestamp !== undefined) return undefined;
      const { name } = nameOfKey(key);
      const addOn = clusterManagementAddOns.store.get(name);
      if (addOn === undefined || !isCompanionManaged(addOn, settings.addOn)) return undefined;
      const ownerReferences = ownersOf(onCluster, addOn, ownerVersion);
      if (ownerReferences === undefined) return undefined;
      const { resourceVersion } = onCluster.metadata;
      const patch = { metadata: { resourceVersion, ownerReferences } };
      await client.merge(managedClusterAddOns, nameOfKey(key), patch, { signal });
      return undefined;
    },
  };
}
