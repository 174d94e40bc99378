import type { ClusterManagementAddOnV1alpha1 } from '../../schemas/types.gen.ts';
import type { Stored } from '../kube/object.ts';

/** On a ClusterManagementAddOn: who brings its manifests to the clusters. */
export const deliveryAnnotation = 'fleetwright.dev/delivery';
/** On a ClusterManagementAddOn: who resolves its configuration, the hub's addon-manager or somebody else. */
const lifecycleAnnotation = 'addon.open-cluster-management.io/lifecycle';

/**
 * Whether the companion looks after an add-on: those with compiled delivery, and those that it was told to. Never those
 * that the hub's addon-manager manages: two would write the same fields.
 */
export function isCompanionManaged(
  addOn: Stored<ClusterManagementAddOnV1alpha1>,
  named: readonly string[],
): boolean {
  const { name, annotations = {} } = addOn.metadata;
  // as addon-framework ManagedByAddonManager: absent means the addon-manager
  const { [lifecycleAnnotation]: lifecycle = 'addon-manager' } = annotations;
  if (lifecycle === 'addon-manager') return false;
  return annotations[deliveryAnnotation] === 'compiled' || named.includes(name);
}
