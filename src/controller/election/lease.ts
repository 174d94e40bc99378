import type { ApiObject } from '../../client/object.ts';
import { namespacedResource } from '../../client/resource.ts';

/** A coordination.k8s.io Lease: its holder and the last renewal. */
export interface Lease extends ApiObject {
  /** Absent until there is a holder, for example if a tool created it. */
  readonly spec?: {
    /** Empty if there is no holder. */
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
