import { companionBinding, type Holder } from '../../../ocm/companion-binding.ts';
import { permissionsOf } from '../../../ocm/hub-permissions.ts';
import type { RoleBinding } from '../../../ocm/role-binding.ts';
import type { AddOnTemplateV1alpha1 } from '../../../../schemas/types.gen.ts';

/** The bindings that a template requests on a cluster, or the missing field of the template. */
export type Permissions = { readonly bindings: readonly RoleBinding[] } | { readonly error: string };

/** Returns the RoleBindings of an add-on on a cluster. */
export function hubPermissions(template: AddOnTemplateV1alpha1, holder: Holder): Permissions {
  const { permissions, incomplete } = permissionsOf(template, holder.cluster);
  if (incomplete !== undefined) return { error: incomplete.error };
  const bindings = new Map<string, RoleBinding>();
  for (const permission of permissions) {
    const binding = companionBinding(holder, permission);
    bindings.set(`${permission.namespace}/${binding.metadata.name}`, binding);
  }
  return { bindings: [...bindings.values()] };
}
