import type { ManagedClusterAddOnV1alpha1 } from '../../../schemas/types.gen.ts';
import type { ApiClient } from '../../../kubernetes/client/api-client.ts';
import type { Stored } from '../../../kubernetes/client/object.ts';
import { preDeleteHook } from '../../../ocm/hook-work.ts';
import { managedClusterAddOns } from '../../add-on/managed-cluster-add-ons.ts';

type OnCluster = Stored<ManagedClusterAddOnV1alpha1>;

/** Whether the finalizer keeps a ManagedClusterAddOn until its pre-delete hooks are complete. */
export function hasHookFinalizer({ metadata }: OnCluster): boolean {
  return metadata.finalizers?.includes(preDeleteHook) === true;
}

/** Whether a ManagedClusterAddOn is being deleted, and waits for its pre-delete hooks. */
export function waitsForHooks(onCluster: OnCluster): boolean {
  return onCluster.metadata.deletionTimestamp !== undefined && hasHookFinalizer(onCluster);
}

export async function addHookFinalizer(
  client: ApiClient,
  onCluster: OnCluster,
  signal: AbortSignal,
): Promise<void> {
  await setFinalizers(client, onCluster, [...(onCluster.metadata.finalizers ?? []), preDeleteHook], signal);
}

export async function removeHookFinalizer(
  client: ApiClient,
  onCluster: OnCluster,
  signal: AbortSignal,
): Promise<void> {
  const others = (onCluster.metadata.finalizers ?? []).filter((finalizer) => finalizer !== preDeleteHook);
  await setFinalizers(client, onCluster, others, signal);
}

/** The list is replaced, so it must be the list of this very version of the object. */
async function setFinalizers(
  client: ApiClient,
  { metadata }: OnCluster,
  finalizers: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const patch = { metadata: { resourceVersion: metadata.resourceVersion, finalizers } };
  await client.merge(managedClusterAddOns, metadata, patch, { signal });
}
