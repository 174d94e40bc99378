import type { ManagedClusterAddOnV1alpha1, ManifestWorkV1 } from '../../../../schemas/types.gen.ts';
import { keyOf, nameOfKey, type ObjectKey, type Stored } from '../../../client/object.ts';
import {
  addOnUidAnnotation,
  deletedByAnnotation,
  deletedByCompanion,
  deliveryAnnotation,
} from '../../../ocm/fleetwright-annotations.ts';
import { hostingClusterOf } from '../../../ocm/hosted-mode.ts';
import { hostingPreDeleteHook } from '../../../ocm/hook-work.ts';
import { managedClusterAddOns } from '../../add-on/managed-cluster-add-ons.ts';
import type { ControllerContext } from '../controller-context.ts';
import { annotationTime } from '../override-inventory/managed-fields.ts';
import { manifestWorks } from '../resources.ts';
import { isHostingWork } from './hook-run.ts';

type Work = Stored<ManifestWorkV1>;

/**
 * Returns the works for hosting clusters that Git leaves to the companion. They have no owner, and Argo CD and Flux do not delete
 * them, so that they remain until the hooks on the hosting cluster are complete.
 */
export function leftToCompanion({ informers }: ControllerContext, key: ObjectKey): readonly Work[] {
  return informers.manifestWorks.store
    .by('addOn', key)
    .filter(
      (work) =>
        work.metadata.annotations?.[deletedByAnnotation] === deletedByCompanion &&
        work.metadata.deletionTimestamp === undefined &&
        isHostingWork(work, nameOfKey(key)),
    );
}

export async function deleteWorks(
  { client, log }: ControllerContext,
  works: readonly Work[],
  why: string,
  signal: AbortSignal,
): Promise<void> {
  for (const work of works) {
    log.info({ object: keyOf(work), why }, 'deletes a work for a hosting cluster');
    await client.delete(manifestWorks, work.metadata, { uid: work.metadata.uid, signal });
  }
}

/**
 * Deletes works for clusters that no longer host the add-on. As addon-framework hostedSyncer. Git's objects are applied in any
 * order: a work that is newer than the ManagedClusterAddOn may be for a hosting cluster that is not named there yet.
 */
export async function deleteMovedWorks(
  context: ControllerContext,
  cached: Stored<ManagedClusterAddOnV1alpha1>,
  signal: AbortSignal,
): Promise<void> {
  const isMoved = (work: Work, onCluster: Stored<ManagedClusterAddOnV1alpha1>): boolean =>
    work.metadata.namespace !== hostingClusterOf(onCluster);
  const moved = leftToCompanion(context, keyOf(cached)).filter((work) => isMoved(work, cached));
  if (moved.length === 0) return;
  // The caches do not have the times.
  const { client } = context;
  const onCluster = await client.get(managedClusterAddOns, cached.metadata, signal);
  if (onCluster === undefined || onCluster.metadata.uid !== cached.metadata.uid) return;
  const writtenAt = annotationTime(onCluster, deliveryAnnotation) ?? -Infinity;
  for (const work of moved) {
    const current = await client.get(manifestWorks, work.metadata, signal);
    const workTime = current && annotationTime(current, deletedByAnnotation);
    if (workTime !== undefined && workTime < writtenAt && isMoved(work, onCluster))
      await deleteWorks(context, [work], 'another cluster hosts the add-on, or none', signal);
  }
}

/**
 * Deletes works with hooks on hosting clusters whose ManagedClusterAddOn does not wait for them, or no longer exists. They have no
 * owner with which Kubernetes would delete them.
 *
 * @param hookWorks those in the cache that the companion created for hosting clusters
 */
export async function deleteStrayHookWorks(
  context: ControllerContext,
  key: ObjectKey,
  hookWorks: readonly Work[],
  signal: AbortSignal,
): Promise<void> {
  const isAwaited = (
    { metadata: work }: Work,
    onCluster: Stored<ManagedClusterAddOnV1alpha1> | undefined,
  ): boolean =>
    onCluster !== undefined &&
    work.annotations?.[addOnUidAnnotation] === onCluster.metadata.uid &&
    onCluster.metadata.finalizers?.includes(hostingPreDeleteHook) === true &&
    work.namespace === hostingClusterOf(onCluster);
  const { client, informers } = context;
  const cached = informers.managedClusterAddOns.store.get(key);
  const stray = hookWorks.filter(
    (work) => work.metadata.deletionTimestamp === undefined && !isAwaited(work, cached),
  );
  if (stray.length === 0) return;
  const current = await client.get(managedClusterAddOns, nameOfKey(key), signal);
  const deleted = stray.filter((work) => !isAwaited(work, current));
  await deleteWorks(context, deleted, 'no ManagedClusterAddOn waits for its hooks', signal);
}
