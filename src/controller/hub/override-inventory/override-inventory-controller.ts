import type {
  ClusterManagementAddOnV1alpha1,
  ManagedClusterAddOnV1alpha1,
} from '../../../../schemas/types.gen.ts';
import { overrideAnnotation, overridesAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { keyOf, nameOfKey, type Stored } from '../../../client/object.ts';
import { source, type Controller } from '../../queue/controller.ts';
import type { ControllerContext } from '../controller-context.ts';
import { managedClusterAddOns } from '../../add-on/managed-cluster-add-ons.ts';
import { clusterManagementAddOns } from '../resources.ts';
import { isListNewer, removalOfWriter } from './managed-fields.ts';

type AddOn = Stored<ClusterManagementAddOnV1alpha1>;
type OnCluster = Stored<ManagedClusterAddOnV1alpha1>;

/**
 * Reverts the ManagedClusterAddOns that Git no longer has. Their add-on owns them, and Argo CD never prunes an object
 * that has an owner. The fields of the writer of the mark are removed, so that the cluster gets the values of the
 * placements and defaults. If the ManagedClusterAddOn installs the add-on, it is deleted.
 *
 * No state is kept: the mark means that an object came from Git, and the list means that it still does.
 */
export function overrideInventoryController({
  client,
  informers,
  settings,
  events,
}: ControllerContext): Controller {
  const { clusterManagementAddOns: addOns, managedClusterAddOns: onClusters } = informers;
  return {
    name: 'override-inventory',
    workers: settings.workers,
    sources: [
      source(onClusters, ({ after }) => (after !== undefined && isMarked(after) ? [keyOf(after)] : [])),
      source(addOns, ({ after }) =>
        after?.metadata.annotations?.[overridesAnnotation] === undefined
          ? []
          : onClusters.store.by('addOn', after.metadata.name).filter(isMarked).map(keyOf),
      ),
    ],
    reconcile: async (key, { signal, log }) => {
      const name = nameOfKey(key);
      const cached = onClusters.store.get(key);
      const cachedAddOn = addOns.store.get(name.name);
      if (cached === undefined || cachedAddOn === undefined || !isRemovedFromGit(cached, cachedAddOn))
        return undefined;
      // The following writes must not depend on stale caches.
      const addOn = await client.get(clusterManagementAddOns, { name: name.name }, signal);
      const onCluster = await client.get(managedClusterAddOns, name, signal);
      if (addOn === undefined || onCluster === undefined || !isRemovedFromGit(onCluster, addOn))
        return undefined;
      if (!isListNewer(addOn, overridesAnnotation, onCluster, overrideAnnotation)) return undefined;
      const { uid, resourceVersion } = onCluster.metadata;
      if (addOn.spec.installStrategy?.type === 'Placements') {
        const { patch, removed } = removalOfWriter(onCluster, overrideAnnotation);
        const metadata = { ...patch['metadata'], resourceVersion };
        await client.merge(managedClusterAddOns, name, { ...patch, metadata }, { signal });
        const message = `Git no longer has it: removed ${removed.join(', ')}`;
        log.info({ removed }, 'removed what is no longer in Git');
        await events.record(onCluster, 'Normal', 'OverrideRemoved', message);
        return undefined;
      }
      await client.delete(managedClusterAddOns, name, { uid, resourceVersion, signal });
      log.info({}, 'deleted what Git no longer has');
      await events.record(onCluster, 'Normal', 'AddOnRemoved', 'Git no longer has it');
      return undefined;
    },
  };
}

function isMarked({ metadata }: OnCluster): boolean {
  return metadata.annotations?.[overrideAnnotation] === 'inventory';
}

/** Whether Git had it and no longer has it. If the add-on has no list, this is unknown. */
function isRemovedFromGit(onCluster: OnCluster, addOn: AddOn): boolean {
  if (!isMarked(onCluster) || onCluster.metadata.deletionTimestamp !== undefined) return false;
  const list = addOn.metadata.annotations?.[overridesAnnotation];
  if (list === undefined || addOn.metadata.deletionTimestamp !== undefined) return false;
  return !list.split('\n').includes(onCluster.metadata.namespace ?? '');
}
