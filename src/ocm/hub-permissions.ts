import type {
  AddOnTemplateV1alpha1,
  AddOnTemplateV1alpha1HubPermissionConfig,
} from '../../schemas/types.gen.ts';
import { rbac, type RoleRef } from './role-binding.ts';

/** A permission that a template requests on the hub: the role and its scope. */
export interface Permission {
  readonly type: AddOnTemplateV1alpha1HubPermissionConfig['type'];
  /** The namespace of the binding. For a permission in the cluster's own namespace, the cluster's namespace. */
  readonly namespace: string;
  readonly roleRef: RoleRef;
  /** The field in which the template requests it. */
  readonly path: readonly (string | number)[];
}

/** A permission without the field that its type needs. */
export interface IncompletePermission {
  /** The message of OCM createKubeClientPermissions. */
  readonly error: string;
  readonly path: readonly (string | number)[];
}

/** Returns the permissions of a template on one cluster, in order, up to the first incomplete one. */
export function permissionsOf(
  template: AddOnTemplateV1alpha1,
  cluster: string,
): { readonly permissions: readonly Permission[]; readonly incomplete?: IncompletePermission } {
  const permissions: Permission[] = [];
  for (const [index, { type, kubeClient }] of (template.spec.registration ?? []).entries()) {
    if (type !== 'KubeClient') continue;
    for (const [at, { type, currentCluster, singleNamespace }] of (
      kubeClient?.hubPermissions ?? []
    ).entries()) {
      const path = ['spec', 'registration', index, 'kubeClient', 'hubPermissions', at];
      if (type === 'CurrentCluster') {
        if (currentCluster === undefined)
          return { permissions, incomplete: incomplete('current cluster', type, path) };
        const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: currentCluster.clusterRoleName };
        permissions.push({ type, namespace: cluster, roleRef, path });
      } else {
        if (singleNamespace === undefined)
          return { permissions, incomplete: incomplete('single namespace', type, path) };
        permissions.push({ type, ...singleNamespace, path });
      }
    }
  }
  return { permissions };
}

function incomplete(what: string, type: string, path: IncompletePermission['path']): IncompletePermission {
  return { error: `${what} is required when the HubPermission type is ${type}`, path };
}
