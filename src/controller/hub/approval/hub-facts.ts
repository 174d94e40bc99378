import type { HubInformers } from '../hub-informers.ts';
import type { Approvals } from './approvals.ts';
import { claimKey } from './certificate-requests.ts';
import type { Declaration } from '../registration/declarations.ts';
import type { HubFacts } from './facts.ts';

/** Returns the facts in the caches about an add-on on a cluster, and its approvals. */
export function hubFacts(
  claim: { readonly cluster: string; readonly addOn: string },
  declaration: Declaration,
  informers: Pick<HubInformers, 'managedClusters' | 'managedClusterAddOns'>,
  approvals: Approvals,
): HubFacts {
  const key = claimKey(claim);
  return {
    cluster: informers.managedClusters.store.get(claim.cluster),
    addOn: informers.managedClusterAddOns.store.get(key),
    declared: declaration.registrations,
    foreignSigners: declaration.foreignSigners,
    approvedWithKey: (fingerprint) => approvals.withKey(fingerprint),
    recentApprovals: approvals.recent(key).length,
  };
}
