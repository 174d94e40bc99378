import type { ApiObject } from '../kube/object.ts';
import { namespacedResource } from '../kube/resource.ts';

/** A coordination.k8s.io Lease: who holds something, and the last sign of life. */
export interface Lease extends ApiObject {
  readonly spec: {
    /** Empty where nobody holds it. */
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    /** RFC 3339 with microseconds. */
    readonly acquireTime?: string;
    /** RFC 3339 with microseconds. */
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

export const leases = namespacedResource<Lease>('coordination.k8s.io/v1', 'Lease', 'leases');
