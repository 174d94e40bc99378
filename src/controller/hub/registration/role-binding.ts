import { rbac, type RoleBinding as WrittenRoleBinding } from '../../../ocm/role-binding.ts';
import type { ApiObject } from '../../../client/object.ts';
import { namespacedResource } from '../../../client/resource.ts';

/** A RoleBinding on the hub, of any writer. */
export interface RoleBinding extends ApiObject {
  readonly roleRef?: Partial<WrittenRoleBinding['roleRef']>;
  readonly subjects?: readonly RoleSubject[];
}

interface RoleSubject {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

export const roleBindings = namespacedResource<RoleBinding>(`${rbac}/v1`, 'RoleBinding', 'rolebindings');
