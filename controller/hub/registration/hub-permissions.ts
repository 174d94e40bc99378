import { createHash } from 'node:crypto';
import type { AddOnTemplateV1alpha1 } from '../../../schemas/types.gen.ts';
import type { AddOnOnCluster } from './registrations.ts';
import { rbac, roleBindings, type RoleBinding, type RoleRef } from './role-binding.ts';

/** Labels of every binding that the companion creates, and of no other binding. */
export const permissionLabels = {
  managedBy: 'app.kubernetes.io/managed-by',
  addOn: 'open-cluster-management.io/addon-name',
  cluster: 'open-cluster-management.io/cluster-name',
} as const;
/** The value of `managedBy`. */
export const manager = 'fleetwright-controller';

/** The add-on and cluster with the permissions, and their user on the API server. */
export interface Holder extends AddOnOnCluster {
  /** The ManagedClusterAddOn. Permissions in the cluster's own namespace are deleted with it. */
  readonly owner: { readonly apiVersion: string; readonly uid: string };
  readonly user: string;
}

/** The bindings that a template requests on a cluster, or the missing field of the template. */
export type Permissions = { readonly bindings: readonly RoleBinding[] } | { readonly error: string };

/**
 * Returns the RoleBindings of an add-on on a cluster. Unlike those of OCM's template manager, they bind only this
 * cluster's agent, not a group that the agents of all clusters share. They have a separate name for every role and
 * cluster, so that none replaces another.
 */
export function hubPermissions(template: AddOnTemplateV1alpha1, holder: Holder): Permissions {
  const bindings = new Map<string, RoleBinding>();
  for (const { type, kubeClient } of template.spec.registration ?? []) {
    if (type !== 'KubeClient') continue;
    for (const { type, currentCluster, singleNamespace } of kubeClient?.hubPermissions ?? []) {
      let namespace: string;
      let roleRef: RoleRef;
      if (type === 'CurrentCluster') {
        if (currentCluster === undefined) return missing('current cluster', type);
        namespace = holder.cluster;
        roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: currentCluster.clusterRoleName };
      } else {
        if (singleNamespace === undefined) return missing('single namespace', type);
        ({ namespace } = singleNamespace);
        // as addon-manager, which sets the API group itself
        roleRef = { ...singleNamespace.roleRef, apiGroup: rbac };
      }
      const binding = bindingOf(holder, namespace, roleRef);
      bindings.set(`${namespace}/${binding.metadata.name ?? ''}`, binding);
    }
  }
  return { bindings: [...bindings.values()] };
}

/** Returns the message of OCM createKubeClientPermissions. */
function missing(what: string, type: string): { readonly error: string } {
  return { error: `${what} is required when the HubPermission type is ${type}` };
}

function bindingOf(holder: Holder, namespace: string, roleRef: RoleRef): RoleBinding {
  const { addOn, cluster, owner, user } = holder;
  const ownerReferences = [{ ...owner, kind: 'ManagedClusterAddOn', name: addOn }];
  return {
    apiVersion: roleBindings.apiVersion,
    kind: roleBindings.kind,
    metadata: {
      name: bindingName(holder, roleRef),
      namespace,
      labels: {
        [permissionLabels.managedBy]: manager,
        [permissionLabels.addOn]: addOn,
        [permissionLabels.cluster]: cluster,
      },
      // An owner in another namespace would have the garbage collector remove it at once.
      ...(namespace === cluster && { ownerReferences }),
    },
    roleRef,
    subjects: [{ apiGroup: rbac, kind: 'User', name: user }],
  };
}

/** Names of roles may contain colons. Names of add-ons, kinds and clusters cannot, so no two names are the same. */
function bindingName({ addOn, cluster }: AddOnOnCluster, { kind, name }: RoleRef): string {
  const whole = `fleetwright:${addOn}:${cluster}:${kind.toLowerCase()}:${name}`;
  if (whole.length <= 253) return whole;
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, 16);
  return `${whole.slice(0, 236)}:${digest}`;
}
