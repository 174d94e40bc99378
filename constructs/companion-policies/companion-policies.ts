import { addOns, addOnStatuses } from './add-ons.ts';
import { certificateRequests } from './certificate-requests.ts';
import { events, leases } from './events-and-leases.ts';
import { policySpec, type ConfinedCompanion } from './policy.ts';
import { roleBindings } from './role-bindings.ts';
import { works } from './works.ts';

/** A ValidatingAdmissionPolicy, and the text that its name ends with. */
export interface CompanionPolicy {
  readonly id: string;
  readonly spec: object;
}

/**
 * What a companion may write, object by object. RBAC names kinds and verbs; these policies also compare the object before and
 * after the request. They apply to the companion's ServiceAccount only, so that nobody else is affected.
 *
 * They use CEL as of Kubernetes 1.30, and no parameters: a parameter that the API server cannot read would fail the requests
 * of everybody.
 */
export function companionPolicies(companion: ConfinedCompanion): readonly CompanionPolicy[] {
  const contents = {
    works,
    'add-ons': addOns,
    'add-on-statuses': addOnStatuses,
    'role-bindings': roleBindings,
    'certificate-requests': certificateRequests(companion),
    events,
    leases: leases(companion),
  };
  return Object.entries(contents).map(([id, content]) => ({ id, spec: policySpec(companion, content) }));
}
