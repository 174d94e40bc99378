import type { ClusterManagementAddOnV1beta1 } from '../../schemas/types.gen.ts';

/**
 * Who makes what an add-on puts on clusters.
 *
 * - `hub`: the hub's addon-manager, from the template, when the objects are applied.
 * - `compiled`: the compiler, which writes each cluster's ManagedClusterAddOn and works; the companion controller does what
 *   cannot be written down: registration, certificates and health.
 */
export type Delivery = 'hub' | 'compiled';

/** On a ClusterManagementAddOn: its `Delivery`. On a ManagedClusterAddOn: that the compiler wrote it. */
export const deliveryAnnotation = 'fleetwright.dev/delivery';

/** How an add-on is delivered; values that say neither are reported elsewhere and count as the hub's. */
export function deliveryOf({ metadata }: Pick<ClusterManagementAddOnV1beta1, 'metadata'>): Delivery {
  return metadata.annotations?.[deliveryAnnotation] === 'compiled' ? 'compiled' : 'hub';
}

/** On a ClusterManagementAddOn with compiled delivery: `lease` where its agents tell by a Lease whether they are well. */
const healthAnnotation = 'fleetwright.dev/health';

export function goesByLease({ metadata }: Pick<ClusterManagementAddOnV1beta1, 'metadata'>): boolean {
  return metadata.annotations?.[healthAnnotation] === 'lease';
}
