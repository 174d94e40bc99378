import type { ClusterManagementAddOnV1beta1 } from '../../../schemas/types.gen.ts';
import {
  deliveryAnnotation,
  healthAnnotation,
  preDeleteHooksAnnotation,
} from '../../ocm/fleetwright-annotations.ts';

/**
 * The component that creates the objects of an add-on on clusters.
 *
 * - `hub`: the hub's addon-manager, from the template, when the objects are applied.
 * - `compiled`: the compiler, which writes each cluster's ManagedClusterAddOn and works. The companion controller does what
 *   cannot be written in advance: registration, certificates and health.
 */
export type Delivery = 'hub' | 'compiled';

/** Returns the delivery of an add-on. Invalid values are reported elsewhere and count as `hub`. */
export function deliveryOf({ metadata }: Pick<ClusterManagementAddOnV1beta1, 'metadata'>): Delivery {
  return metadata.annotations?.[deliveryAnnotation] === 'compiled' ? 'compiled' : 'hub';
}

/** Returns whether the agents of an add-on report their health by a Lease. */
export function usesLeaseHealth({ metadata }: Pick<ClusterManagementAddOnV1beta1, 'metadata'>): boolean {
  return metadata.annotations?.[healthAnnotation] === 'lease';
}

/** Returns whether the companion is to run the pre-delete hooks of an add-on. */
export function runsPreDeleteHooks({ metadata }: Pick<ClusterManagementAddOnV1beta1, 'metadata'>): boolean {
  return metadata.annotations?.[preDeleteHooksAnnotation] === 'run';
}
