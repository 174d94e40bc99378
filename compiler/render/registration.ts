import type {
  AddOnTemplateV1alpha1,
  ManagedClusterAddOnV1beta1RegistrationConfig,
} from '../../schemas/types.gen.ts';
import type { DecidedCondition } from '../place/decision.ts';
import { applyPermissions, type RoleBinding } from './hub-permissions.ts';
import { registrationsFor, type Agent } from './registrations.ts';
import type { Failure } from './failure.ts';

/** What the hub writes about an agent's registration. */
export interface SettledRegistration {
  readonly registrations: readonly ManagedClusterAddOnV1beta1RegistrationConfig[];
  /** `status.namespace`; absent where the hub did not come to write it. */
  readonly namespace?: string;
  /** `RegistrationApplied`; absent where the hub did not come to write it. Without it nothing is deployed. */
  readonly condition?: DecidedCondition;
  /** What stopped the hub. */
  readonly failure?: Failure;
}

export interface RegistrationInputs {
  readonly template: AddOnTemplateV1alpha1 | Failure;
  /** Where the agent is taken to be, or why the hub cannot tell. */
  readonly namespace: string | Failure;
  readonly agent: Agent;
  /** What the status holds already. */
  readonly existing: readonly ManagedClusterAddOnV1beta1RegistrationConfig[];
  /** How permissions are bound. @default - as the addon-manager does */
  readonly grant?: typeof applyPermissions;
}

/**
 * Repeats the hub's registration controller until nothing changes: permissions first, which need the subjects that only a
 * pass before has written. As addon-framework addonRegistrationController.sync.
 *
 * @param bindings by `namespace/name`; this agent's are added
 */
export function settleRegistration(
  { template, namespace, agent, existing, grant = applyPermissions }: RegistrationInputs,
  bindings: Map<string, RoleBinding>,
): SettledRegistration {
  if ('error' in template) {
    const { addOn, cluster } = agent;
    const error = `PermissionConfig failed to get addon template for addon ${cluster}/${addOn}: ${template.error}`;
    return { registrations: existing, condition: permissionFailed(error) };
  }
  let settled: SettledRegistration = { registrations: existing };
  // the second pass has the subjects that the first one wrote; a third one changes nothing
  for (let pass = 0; pass < 2; pass++) {
    const permissions = grant(template, agent, settled.registrations, bindings);
    if (permissions.state === 'failed') {
      return { ...settled, condition: permissionFailed(permissions.error), failure: permissions };
    }
    // as OCM: the namespace fails the pass before anything is written
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
