import type { OwnerReference } from '../base/objects/object-meta.ts';

/** The API group of roles and their bindings. */
export const rbac = 'rbac.authorization.k8s.io';

/** A rbac.authorization.k8s.io/v1 RoleBinding of an add-on. */
export interface RoleBinding {
  readonly apiVersion: 'rbac.authorization.k8s.io/v1';
  readonly kind: 'RoleBinding';
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly OwnerReference[];
  };
  /** Immutable. */
  readonly roleRef: RoleRef;
  readonly subjects: readonly RoleSubject[];
}

/** The Role or ClusterRole that a binding grants. */
export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/** A user or group that a binding grants its role to. */
export interface RoleSubject {
  readonly kind: 'User' | 'Group';
  readonly apiGroup: string;
  readonly name: string;
}
