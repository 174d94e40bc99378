import type { ApiObject } from '../../kube/object.ts';
import { namespacedResource } from '../../kube/resource.ts';

/** A rbac.authorization.k8s.io/v1 RoleBinding. */
export interface RoleBinding extends ApiObject {
  /** Immutable. */
  readonly roleRef: RoleRef;
  readonly subjects?: readonly RoleSubject[];
}

export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

export interface RoleSubject {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export const rbac = 'rbac.authorization.k8s.io';

export const roleBindings = namespacedResource<RoleBinding>(`${rbac}/v1`, 'RoleBinding', 'rolebindings');
