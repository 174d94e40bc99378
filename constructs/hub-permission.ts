import type { AddOnTemplateV1alpha1HubPermissionConfig } from '../schemas/types.gen.ts';

/** A Role or a ClusterRole on the hub, such as those of cdk8s-plus. */
export interface HubRole {
  readonly kind: string;
  readonly name: string;
}

/**
 * A permission of an add-on's agent on the hub. The role must exist there, and the addon-manager must be allowed to
 * bind it.
 *
 * @example
 * Registration.kubeClient({ hubPermissions: [HubPermission.currentCluster('hello-agent')] });
 *
 * @see https://open-cluster-management.io/docs/developer-guides/addon/#registering-your-add-on
 */
export class HubPermission {
  /**
   * Grants the ClusterRole in the namespaces of the clusters. In each of them, the hub binds it
   * to a group with all agents of the add-on. So an agent can access the namespaces of all clusters that have the
   * add-on.
   */
  static currentCluster(clusterRole: string | HubRole): HubPermission {
    const clusterRoleName =
      typeof clusterRole === 'string' ? clusterRole : expectKind(clusterRole, ['ClusterRole']).name;
    return new HubPermission({ type: 'CurrentCluster', currentCluster: { clusterRoleName } });
  }

  /** Grants the role in one namespace of the hub. A Role must be in that namespace. */
  static singleNamespace(namespace: string, role: HubRole): HubPermission {
    const { kind, name } = expectKind(role, ['Role', 'ClusterRole']);
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind, name };
    return new HubPermission({ type: 'SingleNamespace', singleNamespace: { namespace, roleRef } });
  }

  /** Keeps values of other classes from being assignable. */
  declare protected readonly brand: 'HubPermission';

  /**
   * Returns the permission as written in an AddOnTemplate.
   *
   * @internal
   */
  readonly permission: AddOnTemplateV1alpha1HubPermissionConfig;

  private constructor(permission: AddOnTemplateV1alpha1HubPermissionConfig) {
    this.permission = permission;
  }
}

function expectKind(role: HubRole, kinds: readonly string[]): HubRole {
  if (kinds.includes(role.kind)) return role;
  throw new Error(`a hub permission takes a ${kinds.join(' or a ')}, not the ${role.kind} '${role.name}'`);
}
