import type { OwnerReference } from '../../../schemas/object-meta.ts';
import type {
  ClusterManagementAddOnV1alpha1,
  ManagedClusterAddOnV1alpha1,
} from '../../../schemas/types.gen.ts';
import type { Stored } from '../../kube/object.ts';

/**
 * The owners of a ManagedClusterAddOn, with its ClusterManagementAddOn among them as the hub's controllers write it: so
 * that it goes with that. Undefined where they are so already. As OCM addonowner and addon-framework
 * AddOwnerReferencesForAddon; another version of the same kind is the same owner.
 */
export function ownersOf(
  onCluster: Stored<ManagedClusterAddOnV1alpha1>,
  addOn: Stored<ClusterManagementAddOnV1alpha1>,
  apiVersion: string,
): readonly OwnerReference[] | undefined {
  const { name, uid } = addOn.metadata;
  const wanted: OwnerReference = {
    apiVersion,
    kind: addOn.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  const held = onCluster.metadata.ownerReferences ?? [];
  const ours = held.filter((owner) => isSame(owner, wanted));
  const [only] = ours;
  if (ours.length === 1 && only !== undefined && isEqual(only, wanted)) return undefined;
  return [...held.filter((owner) => !isSame(owner, wanted)), wanted];
}

function isSame(a: OwnerReference, b: OwnerReference): boolean {
  return a.kind === b.kind && a.name === b.name && groupOf(a.apiVersion) === groupOf(b.apiVersion);
}

function groupOf(apiVersion: string): string {
  return apiVersion.split('/')[0] ?? '';
}

function isEqual(a: OwnerReference, b: OwnerReference): boolean {
  return (
    a.apiVersion === b.apiVersion &&
    a.uid === b.uid &&
    a.controller === b.controller &&
    a.blockOwnerDeletion === b.blockOwnerDeletion
  );
}
