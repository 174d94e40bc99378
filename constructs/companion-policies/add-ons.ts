import { deliveryAnnotation, overrideAnnotation } from '../../src/ocm/fleetwright-annotations.ts';
import {
  agentUser,
  isUpdate,
  ofUpdate,
  onlyNewOwner,
  ownerVariables,
  textOf,
  tokenUser,
  unchanged,
  type ConfinedCompanion,
  type PolicyContent,
} from './policy.ts';
import { hookFinalizers } from '../../src/ocm/hook-work.ts';
import { addOnGroup as group } from '../../schemas/groups.ts';
import { apiServerSigner } from '../../src/ocm/signers.ts';
import { companionConditions } from '../../src/ocm/companion-conditions.ts';
import { tokenInfrastructureReady } from '../../src/ocm/token-infrastructure.ts';
import { defaultInstallNamespace } from '../../src/ocm/install-namespace.ts';

const version = 'v1alpha1';

const withoutHookFinalizers = (object: string): string =>
  `${object}.metadata.?finalizers.orValue([]).filter(finalizer, !(finalizer in ${JSON.stringify(hookFinalizers)}))`;

/** Checks that no finalizers change but those of the pre-delete hooks of an add-on with compiled delivery. */
const onlyHookFinalizers = `(${unchanged('finalizers')} || (${textOf('oldObject', 'annotations', deliveryAnnotation)} == 'compiled' && ${withoutHookFinalizers('object')} == ${withoutHookFinalizers('oldObject')}))`;

/**
 * Checks that fields are only removed from an override. The namespace has a default, which the API server writes.
 */
const onlyRemoved = [
  'object.spec.?configs.orValue([]) == [] || object.spec.?configs == oldObject.spec.?configs',
  `object.spec.?installNamespace.orValue('') in ['', '${defaultInstallNamespace}'] || object.spec.?installNamespace == oldObject.spec.?installNamespace`,
  ...['labels', 'annotations'].map(
    (field) =>
      `object.metadata.?${field}.orValue({}).all(key, key in oldObject.metadata.?${field}.orValue({}) && object.metadata.${field}[key] == oldObject.metadata.${field}[key])`,
  ),
  onlyHookFinalizers,
]
  .map((each) => `(${each})`)
  .join(' && ');

/** The owner of ManagedClusterAddOns, the finalizers of their hooks, and the deletion of those that are no longer in Git. */
export const addOns: PolicyContent = {
  group,
  version,
  resources: ['managedclusteraddons'],
  operations: ['UPDATE', 'DELETE'],
  variables: {
    ...ownerVariables,
    isListedOverride: `${textOf('oldObject', 'annotations', overrideAnnotation)} == 'inventory'`,
  },
  checks: {
    'only ManagedClusterAddOns that synth wrote are deleted': `${isUpdate} || variables.isListedOverride || ${textOf('oldObject', 'annotations', deliveryAnnotation)} == 'compiled'`,
    'of ManagedClusterAddOns only the owners and the finalizers of pre-delete hooks change': ofUpdate(
      `variables.isListedOverride || (object.spec == oldObject.spec && ${unchanged('labels')} && ${unchanged('annotations')} && ${onlyHookFinalizers})`,
    ),
    'from an override that Git no longer has, fields are only removed': ofUpdate(onlyRemoved),
    ...onlyNewOwner('ClusterManagementAddOn', 'object.metadata.name'),
  },
};

/** Fields of the status that the agents of the cluster or OCM write. */
const foreignFields = ['addOnMeta', 'addOnConfiguration', 'relatedObjects', 'kubeClientDriver'];
const named = ['object.metadata.namespace', 'object.metadata.name'] as const;

/** The companion's part of the status of ManagedClusterAddOns. The API server ignores changes of anything else there. */
export function addOnStatuses({
  tokenRegistration,
}: Pick<ConfinedCompanion, 'tokenRegistration'>): PolicyContent {
  const own = companionConditions.filter((type) => tokenRegistration || type !== tokenInfrastructureReady);
  const foreignConditions = (object: string): string =>
    `${object}.?status.conditions.orValue([]).filter(condition, !(condition.type in ${JSON.stringify(own)}))`;
  return {
    group,
    version,
    resources: ['managedclusteraddons/status'],
    operations: ['UPDATE'],
    variables: {
      users: `[${agentUser(...named)}, ${tokenUser(...named)}]`,
      foreignConditions: foreignConditions('object'),
      foreignConditionsBefore: foreignConditions('oldObject'),
    },
    checks: {
      [`${foreignFields.join(', ')} and the conditions of others stay as they are`]: [
        ...foreignFields.map((field) => `object.?status.${field} == oldObject.?status.${field}`),
        'variables.foreignConditions == variables.foreignConditionsBefore',
      ].join(' && '),
      "the user of the hub's API server is the add-on's own": `object.?status.registrations.orValue([]).all(registration, registration.signerName != '${apiServerSigner}' || registration.?subject.user.orValue('') in variables.users)`,
    },
  };
}
