import type { ManagedClusterAddOnV1alpha1 } from '../../../../schemas/types.gen.ts';
import type { ApiClient } from '../../../client/api-client.ts';
import type { Stored } from '../../../client/object.ts';
import { hookFinalizers } from '../../../ocm/hook-work.ts';
import { managedClusterAddOns } from '../../add-on/managed-cluster-add-ons.ts';

type OnCluster = Stored<ManagedClusterAddOnV1alpha1>;

/** Returns the finalizers that keep a ManagedClusterAddOn until its pre-delete hooks are complete. */
export function hookFinalizersOf({ metadata }: OnCluster): readonly string[] {
  return (metadata.finalizers ?? []).filter((finalizer) => hookFinalizers.includes(finalizer));
}

/** Whether a ManagedClusterAddOn is being deleted, and waits for its pre-delete hooks. */
export function waitsForHooks(onCluster: OnCluster): boolean {
  return onCluster.metadata.deletionTimestamp !== undefined && hookFinalizersOf(onCluster).length > 0;
}

/** The list is replaced, so it must be the list of this very version of the object. */
export async function replaceFinalizers(
  client: ApiClient,
  { metadata }: OnCluster,
  { added = [], removed }: { readonly added?: readonly string[]; readonly removed: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  const { resourceVersion, finalizers = [] } = metadata;
  const others = finalizers.filter((finalizer) => !removed.includes(finalizer));
  const patch = { metadata: { resourceVersion, finalizers: [...others, ...added] } };
  await client.merge(managedClusterAddOns, metadata, patch, { signal });
}
