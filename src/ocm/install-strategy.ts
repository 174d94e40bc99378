import type {
  ClusterManagementAddOnV1beta1,
  ClusterManagementAddOnV1beta1PlacementStrategy,
} from '../../schemas/types.gen.ts';

/** Whether placements decide where the add-on is installed, instead of manually created ManagedClusterAddOns. */
export function isInstalledByPlacements({ spec }: ClusterManagementAddOnV1beta1): boolean {
  return spec.installStrategy?.type === 'Placements';
}

/** Returns the Placement that an entry of an install strategy names. */
export function placementReference({
  namespace,
  name,
}: Pick<ClusterManagementAddOnV1beta1PlacementStrategy, 'namespace' | 'name'>) {
  return { apiVersion: 'cluster.open-cluster-management.io/v1beta1', kind: 'Placement', namespace, name };
}

/**
 * Returns the entries of the install strategy that decide where the add-on is installed; empty if placements do not decide this.
 */
export function installPlacements(
  addOn: ClusterManagementAddOnV1beta1,
): readonly ClusterManagementAddOnV1beta1PlacementStrategy[] {
  return isInstalledByPlacements(addOn) ? (addOn.spec.installStrategy?.placements ?? []) : [];
}
