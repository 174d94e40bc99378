import type { ClusterManagementAddOnV1beta1 } from '../../schemas/types.gen.ts';
import { deliveryAnnotation, healthAnnotation } from '../../schemas/own-annotations.ts';

/**
 * Who makes what an add-on puts on clusters.
 *
 * - `hub`: the hub's addon-manager, from the template, when the objects are applied.
 * - `compiled`: the compiler, which writes each cluster's ManagedClusterAddOn and works; the companion controller does what
 *   cannot be written down: registration, certificates and health.
 */
export type Delivery = 'hub' | 'compiled';

/** How an add-on is delivered; values that say neither are reported elsewhere and count as the hub's. */
export function deliveryOf({ metadata }: Pick<ClusterManagementAddOnV1beta1, 'metadata'>): Delivery {
  return metadata.annotations?.[deliveryAnnotation] === 'compiled' ? 'compiled' : 'hub';
}

/** Whether the agents of an add-on tell by a Lease whether they are well. */
export function goesByLease({ metadata }: Pick<ClusterManagementAddOnV1beta1, 'metadata'>): boolean {
  return metadata.annotations?.[healthAnnotation] === 'lease';
}
