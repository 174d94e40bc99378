import type { AddOnTemplateV1alpha1HubPermissionConfig } from '../schemas/types.gen.ts';

/** A Role or a ClusterRole on the hub, such as those of cdk8s-plus. */
export interface HubRole {
  readonly kind: string;
  readonly name: string;
}

/**
 * What the agent of an add-on may do on the hub. The role has to exist there, and the addon-manager must be
 * allowed to bind it.
 *
 * @see https://open-cluster-management.io/docs/developer-guides/addon/#registering-your-add-on
 */
export class HubPermission {
  /**
   * What the ClusterRole allows, in the namespaces of the clusters. The hub binds it in each to a group that
   * all agents of the add-on are in, so an agent reaches the namespaces of all clusters that have the add-on.
   */
  static currentCluster(clusterRole: string | HubRole): HubPermission {
    const clusterRoleName =
      typeof clusterRole === 'string' ? clusterRole : expectKind(clusterRole, ['ClusterRole']).name;
    return new HubPermission({ type: 'CurrentCluster', currentCluster: { clusterRoleName } });
  }

  /** What the role allows, in one namespace of the hub. A Role has to be in that namespace. */
  static singleNamespace(namespace: string, role: HubRole): HubPermission {
    const { kind, name } = expectKind(role, ['Role', 'ClusterRole']);
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind, name };
    return new HubPermission({ type: 'SingleNamespace', singleNamespace: { namespace, roleRef } });
  }

  /** As an AddOnTemplate writes it. */
  readonly permission: AddOnTemplateV1alpha1HubPermissionConfig;

  private constructor(permission: AddOnTemplateV1alpha1HubPermissionConfig) {
    this.permission = permission;
  }
}

function expectKind(role: HubRole, kinds: readonly string[]): HubRole {
  if (kinds.includes(role.kind)) return role;
  throw new Error(`a hub permission takes a ${kinds.join(' or a ')}, not the ${role.kind} '${role.name}'`);
}
