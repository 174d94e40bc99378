import { ofUpdate, type ConfinedCompanion, type PolicyContent } from './policy.ts';
import { companionName } from '../../ocm/companion-binding.ts';

/** Events of the companion. */
export const events: PolicyContent = {
  group: '',
  version: 'v1',
  resources: ['events'],
  operations: ['CREATE', 'UPDATE'],
  // Two groups have a kind of this name, and the type checker would look for the fields in both.
  variables: { event: 'dyn(object)', eventBefore: 'dyn(oldObject)' },
  checks: {
    'Events are about ManagedClusterAddOns and certificate requests': [
      `variables.event.?reportingComponent.orValue('') == '${companionName}'`,
      "variables.event.involvedObject.?kind.orValue('') in ['CertificateSigningRequest', 'ManagedClusterAddOn']",
      "object.metadata.namespace == variables.event.involvedObject.?namespace.orValue('default')",
    ].join(' && '),
    'Events of others stay as they are': ofUpdate(
      `variables.eventBefore.?reportingComponent.orValue('') == '${companionName}' && variables.event.involvedObject == variables.eventBefore.involvedObject`,
    ),
  },
};

/** The Lease by which one replica leads. RBAC cannot name it where it is created. */
export function leases({ name, namespace }: ConfinedCompanion): PolicyContent {
  return {
    group: 'coordination.k8s.io',
    version: 'v1',
    resources: ['leases'],
    operations: ['CREATE', 'UPDATE'],
    checks: {
      [`the Lease is ${namespace}/${name}`]: `object.metadata.namespace == '${namespace}' && object.metadata.name == '${name}'`,
    },
  };
}
