import type {
  ClusterManagementAddOnV1beta1,
  ClusterManagementAddOnV1beta1PlacementStrategy,
} from '../../schemas/types.gen.ts';

/** On a ClusterManagementAddOn: the manager of the add-on. */
export const lifecycleAnnotation = 'addon.open-cluster-management.io/lifecycle';

/**
 * Whether the hub's addon-manager installs and configures the add-on. As addon-framework ManagedByAddonManager: absent means
 * managed; any other value, including the empty one, means not managed.
 */
export function isManaged({ metadata }: ClusterManagementAddOnV1beta1): boolean {
  const lifecycle = metadata.annotations?.[lifecycleAnnotation];
  return lifecycle === undefined || lifecycle === 'addon-manager';
}

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
