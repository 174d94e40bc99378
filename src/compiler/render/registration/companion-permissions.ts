import { companionBinding } from '../../../ocm/companion-binding.ts';
import { permissionsOf } from '../../../ocm/hub-permissions.ts';
import { rbac, type RoleBinding } from '../../../ocm/role-binding.ts';
import type {
  AddOnTemplateV1alpha1,
  ManagedClusterAddOnV1beta1RegistrationConfig,
} from '../../../../schemas/types.gen.ts';
import { objectKey } from '../../model/inventory.ts';
import { invalidBinding, roleFaults, type AppliedPermissions } from './addon-manager-bindings.ts';
import { addOnOwner } from '../works/owner.ts';
import { apiServerSubject, type Agent } from './agent-registrations.ts';

/** Binds the permissions of a template for a cluster as the companion does with compiled delivery. */
export function companionPermissions(
  template: AddOnTemplateV1alpha1,
  { addOn, cluster, hub }: Agent,
  registrations: readonly ManagedClusterAddOnV1beta1RegistrationConfig[],
  bindings: Map<string, RoleBinding>,
): AppliedPermissions {
  const { permissions, incomplete } = permissionsOf(template, cluster);
  if (incomplete !== undefined) return { state: 'failed', code: 'FW6008', ...incomplete };
  const { user = '' } = apiServerSubject(registrations) ?? {};
  if (permissions.length > 0 && user === '') return { state: 'pending' };
  const holder = { addOn, cluster, user, owner: addOnOwner(addOn, hub.controllersApiVersion) };
  for (const permission of permissions) {
    const binding = companionBinding(holder, permission);
    const { name, namespace } = binding.metadata;
    const faults = roleFaults({ ...permission.roleRef, apiGroup: rbac });
    if (faults.length > 0) return { state: 'failed', ...invalidBinding(name, faults, permission.path) };
    bindings.set(objectKey(namespace, name), binding);
  }
  return { state: 'applied' };
}
