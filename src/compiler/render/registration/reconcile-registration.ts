import type {
  AddOnTemplateV1alpha1,
  ManagedClusterAddOnV1beta1RegistrationConfig,
} from '../../../../schemas/types.gen.ts';
import type { DecidedCondition } from '../../place/decision.ts';
import { applyPermissions } from './addon-manager-bindings.ts';
import { registrationsFor, type Agent } from './agent-registrations.ts';
import type { RenderFault } from '../fault.ts';
import { type RoleBinding } from '../../../ocm/role-binding.ts';

/** The data that the hub writes about an agent's registration. */
export interface RegistrationResult {
  readonly registrations: readonly ManagedClusterAddOnV1beta1RegistrationConfig[];
  /** `status.namespace`. Absent if the hub did not write it. */
  readonly namespace?: string;
  /** `RegistrationApplied`. Absent if the hub did not write it. Without it nothing is deployed. */
  readonly condition?: DecidedCondition;
  /** The fault that stopped the hub. */
  readonly fault?: RenderFault;
}

export interface RegistrationInputs {
  readonly template: AddOnTemplateV1alpha1 | RenderFault;
  /** The assumed namespace of the agent, or the reason why the hub cannot determine it. */
  readonly namespace: string | RenderFault;
  readonly agent: Agent;
  /** The registrations that the status already has. */
  readonly existing: readonly ManagedClusterAddOnV1beta1RegistrationConfig[];
  /** Binds the permissions. @default - as the addon-manager does */
  readonly grant?: typeof applyPermissions;
}

/**
 * Repeats the hub's registration controller until nothing changes: permissions come first, and need the subjects that only the
 * previous pass has written. As addon-framework addonRegistrationController.sync.
 *
 * @param bindings by `namespace/name`; this function adds those of this agent
 */
export function reconcileRegistration(
  { template, namespace, agent, existing, grant = applyPermissions }: RegistrationInputs,
  bindings: Map<string, RoleBinding>,
): RegistrationResult {
  if ('error' in template) {
    const { addOn, cluster } = agent;
    const error = `PermissionConfig failed to get addon template for addon ${cluster}/${addOn}: ${template.error}`;
    return { registrations: existing, condition: permissionFailed(error) };
  }
  let settled: RegistrationResult = { registrations: existing };
  // The second pass has the subjects that the first one wrote. A third one would change nothing.
  for (let pass = 0; pass < 2; pass++) {
    const permissions = grant(template, agent, settled.registrations, bindings);
    if (permissions.state === 'failed') {
      return { ...settled, condition: permissionFailed(permissions.error), fault: permissions };
    }
    // As OCM: an invalid namespace fails the pass before anything is written.
    if (typeof namespace !== 'string') return settled;
    settled = {
      registrations: registrationsFor(template, agent, settled.registrations),
      namespace,
      condition: permissions.state === 'pending' ? pending : applied,
    };
  }
  return settled;
}

const applied: DecidedCondition = {
  type: 'RegistrationApplied',
  status: 'True',
  reason: 'SetPermissionApplied',
  message: 'Registration of the addon agent is configured',
};

const pending: DecidedCondition = {
  type: 'RegistrationApplied',
  status: 'False',
  reason: 'PermissionConfigPending',
  message: 'registration subject not ready',
};

function permissionFailed(error: string): DecidedCondition {
  return {
    type: 'RegistrationApplied',
    status: 'False',
    reason: 'SetPermissionFailed',
    message: `Failed to set permission for hub agent: ${error}`,
  };
}
