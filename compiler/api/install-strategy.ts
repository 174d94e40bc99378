import type {
  ClusterManagementAddOnV1beta1,
  ClusterManagementAddOnV1beta1PlacementStrategy,
} from '../../schemas/types.gen.ts';

/** On a ClusterManagementAddOn: who manages it. */
export const lifecycleAnnotation = 'addon.open-cluster-management.io/lifecycle';

/**
 * Whether the hub's addon-manager installs and configures the add-on. As addon-framework ManagedByAddonManager: absent means
 * managed; any other value, the empty one too, does not.
 */
export function isManaged({ metadata }: ClusterManagementAddOnV1beta1): boolean {
  const lifecycle = metadata.annotations?.[lifecycleAnnotation];
  return lifecycle === undefined || lifecycle === 'addon-manager';
}

/** Whether placements say where the add-on is, and not the ManagedClusterAddOns that somebody creates. */
export function isInstalledByPlacements({ spec }: ClusterManagementAddOnV1beta1): boolean {
  return spec.installStrategy?.type === 'Placements';
}

/** The Placement that an entry of an install strategy names. */
export function placementReference({
  namespace,
  name,
}: Pick<ClusterManagementAddOnV1beta1PlacementStrategy, 'namespace' | 'name'>) {
  return { apiVersion: 'cluster.open-cluster-management.io/v1beta1', kind: 'Placement', namespace, name };
}

/** The entries of the install strategy that say where the add-on is; none where that is not up to placements. */
export function installPlacements(
  addOn: ClusterManagementAddOnV1beta1,
): readonly ClusterManagementAddOnV1beta1PlacementStrategy[] {
  return isInstalledByPlacements(addOn) ? (addOn.spec.installStrategy?.placements ?? []) : [];
}
