import type {
  AddOnTemplateV1alpha1,
  ManagedClusterAddOnV1beta1RegistrationConfig,
} from '../../../../schemas/types.gen.ts';
import { addOnNameLabel } from '../../../ocm/labels.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { objectKey } from '../../model/inventory.ts';
import { addOnOwner } from '../works/owner.ts';
import { apiServerSubject, type Agent } from './agent-registrations.ts';
import type { RenderFault } from '../fault.ts';
import { authenticatedGroup } from '../../../ocm/agent-identity.ts';
import { permissionsOf } from '../../../ocm/hub-permissions.ts';
import { rbac, type RoleBinding, type RoleRef, type RoleSubject } from '../../../ocm/role-binding.ts';

/** Returns the name of the binding. It contains neither the name of the role nor the cluster of the agent. */
export function bindingName(addOn: string, { kind }: RoleRef): string {
  return `open-cluster-management:${addOn}:${kind.toLowerCase()}:agent`;
}

/** The result of applying the permissions of one add-on on one cluster. */
export type AppliedPermissions =
  | { readonly state: 'applied' }
  /** The agent's subject is unknown yet. The hub retries later. */
  | { readonly state: 'pending' }
  | ({ readonly state: 'failed' } & RenderFault);

/**
 * Binds the permissions in order, as OCM createKubeClientPermissions, and stops at the first fault. An existing binding gets
 * the new subjects, but its role cannot change.
 *
 * @param registrations the add-on's `status.registrations`: the subjects are those of the first one for the API server
 * @param bindings the hub's bindings by `namespace/name`; this function adds those of this cluster
 */
export function applyPermissions(
  template: AddOnTemplateV1alpha1,
  { addOn, cluster, hub }: Agent,
  registrations: readonly ManagedClusterAddOnV1beta1RegistrationConfig[],
  bindings: Map<string, RoleBinding>,
): AppliedPermissions {
  const { permissions, incomplete } = permissionsOf(template, cluster);
  const subjects = subjectsOf(registrations);
  for (const { type, namespace, roleRef, path } of permissions) {
    if (subjects.length === 0) return { state: 'pending' };
    const name = bindingName(addOn, roleRef);
    const key = objectKey(namespace, name);
    const existing = bindings.get(key);
    const faults = existing === undefined ? roleFaults(roleRef) : changeFaults(existing.roleRef, roleRef);
    if (faults.length > 0) return { state: 'failed', ...invalidBinding(name, faults, path) };
    const owners =
      type === 'CurrentCluster'
        ? [addOnOwner(addOn, hub.controllersApiVersion)]
        : existing?.metadata.ownerReferences;
    bindings.set(key, {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: {
        name,
        namespace,
        labels: {
          [addOnNameLabel]: addOn,
          'open-cluster-management.io/addon-template-name': '',
        },
        ...(owners === undefined ? {} : { ownerReferences: owners }),
      },
      roleRef: existing?.roleRef ?? { ...roleRef, apiGroup: rbac },
      subjects,
    });
  }
  return incomplete === undefined ? { state: 'applied' } : { state: 'failed', code: 'FW6008', ...incomplete };
}

/**
 * As OCM buildSubjectsFromRegistration: the user if there is one, then its groups except the group of all authenticated users.
 */
function subjectsOf(
  registrations: readonly ManagedClusterAddOnV1beta1RegistrationConfig[],
): readonly RoleSubject[] {
  const { user = '', groups = [] } = apiServerSubject(registrations) ?? {};
  return [
    ...(user === '' ? [] : [{ kind: 'User', apiGroup: rbac, name: user } as const]),
    ...groups
      .filter((group) => group !== authenticatedGroup)
      .map((name) => ({ kind: 'Group', apiGroup: rbac, name }) as const),
  ];
}

/** Returns the fault with the API server's message. As apimachinery NewInvalid: several reasons are in brackets. */
export function invalidBinding(name: string, faults: readonly string[], path: FieldPath): RenderFault {
  const reasons = faults.length > 1 ? `[${faults.join(', ')}]` : faults.join('');
  return { error: `RoleBinding.${rbac} "${name}" is invalid: ${reasons}`, code: 'FW6008', path };
}

/**
 * Returns the API server's validation errors for the role of a binding. As kubernetes/pkg/apis/rbac/validation
 * ValidateRoleBinding.
 */
export function roleFaults({ apiGroup, kind, name }: RoleRef): readonly string[] {
  const faults: string[] = [];
  if (apiGroup !== '' && apiGroup !== rbac) {
    faults.push(`roleRef.apiGroup: Unsupported value: "${apiGroup}": supported values: "${rbac}"`);
  }
  if (kind !== 'Role' && kind !== 'ClusterRole') {
    faults.push(`roleRef.kind: Unsupported value: "${kind}": supported values: "Role", "ClusterRole"`);
  }
  if (name === '') faults.push('roleRef.name: Required value');
  return faults;
}

// As ValidateRoleBindingUpdate. addon-manager sets the API group itself on an update.
function changeFaults(existing: RoleRef, { kind, name }: RoleRef): readonly string[] {
  if (existing.kind === kind && existing.name === name) return [];
  const wanted = JSON.stringify({ APIGroup: rbac, Kind: kind, Name: name });
  return [
    ...roleFaults({ apiGroup: rbac, kind, name }),
    `roleRef: Invalid value: ${wanted}: cannot change roleRef`,
  ];
}
