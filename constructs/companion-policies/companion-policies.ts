import { addOns, addOnStatuses } from './add-ons.ts';
import { certificateRequests } from './certificate-requests.ts';
import { companionName } from '../../src/ocm/companion-binding.ts';
import { eventsOf, leases } from './events-and-leases.ts';
import { policySpec, type ConfinedCompanion } from './policy.ts';
import { roleBindings } from './role-bindings.ts';
import { roles, serviceAccounts } from './token-infrastructure.ts';
import { works } from './works.ts';

/** A ValidatingAdmissionPolicy, and the suffix of its name. */
export interface CompanionPolicy {
  readonly id: string;
  readonly spec: object;
}

/**
 * Creates the policies for what a companion may write. RBAC allows kinds and verbs; these policies also compare the
 * object before and after the request. They apply to the companion's ServiceAccount only, and affect no one else.
 *
 * They use CEL as of Kubernetes 1.30, and no parameters: if the API server cannot read a parameter, it would reject
 * the requests of all users.
 */
export function companionPolicies(companion: ConfinedCompanion): readonly CompanionPolicy[] {
  const contents = {
    works: works(companion),
    'add-ons': addOns,
    'add-on-statuses': addOnStatuses(companion),
    'role-bindings': roleBindings(companion),
    ...(companion.tokenRegistration && { 'service-accounts': serviceAccounts, roles }),
    'certificate-requests': certificateRequests(companion),
    events: eventsOf(companionName, {
      ManagedClusterAddOn: 'ManagedClusterAddOns',
      CertificateSigningRequest: 'certificate requests',
    }),
    leases: leases(companion),
  };
  return Object.entries(contents).map(([id, content]) => ({ id, spec: policySpec(companion, content) }));
}
