import { Construct } from 'constructs';
import { clusterGroup } from '../schemas/groups.ts';
import { ApiObject } from './api-object.ts';
import { checkProps } from './check-properties.ts';

/** The installation of Argo CD. */
export interface ArgoCdPlacementAccessProps {
  /**
   * The namespace of Argo CD, which must be the namespace of the Placements.
   *
   * @default 'argocd'
   */
  readonly namespace?: string;

  /**
   * The name of the ConfigMap, of the Role and of its RoleBinding.
   *
   * @default 'ocm-placement-decisions'
   */
  readonly name?: string;

  /**
   * The ServiceAccount of Argo CD's ApplicationSet controller.
   *
   * @default 'argocd-applicationset-controller'
   */
  readonly serviceAccount?: string;
}

/**
 * Lets Argo CD read the decisions of Placements: creates the ConfigMap of the generator, and the permission.
 *
 * @example
 * const access = new ArgoCdPlacementAccess(chart, 'access', { namespace: 'argocd' });
 */
export class ArgoCdPlacementAccess extends Construct {
  /** The name of the ConfigMap. */
  readonly configMapName: string;

  constructor(scope: Construct, id: string, props: ArgoCdPlacementAccessProps = {}) {
    checkProps({ ArgoCdPlacementAccess }, new.target, scope, id, props);
    super(scope, id);
    const { namespace = 'argocd', name = 'ocm-placement-decisions' } = props;
    const { serviceAccount = 'argocd-applicationset-controller' } = props;
    this.configMapName = name;
    const metadata = { name, namespace };
    new ApiObject(this, 'config', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: {
        apiVersion: 'cluster.open-cluster-management.io/v1beta1',
        kind: 'placementdecisions',
        statusListKey: 'decisions',
        matchKey: 'clusterName',
      },
    });
    new ApiObject(this, 'role', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata,
      rules: [
        {
          apiGroups: [clusterGroup],
          resources: ['placementdecisions'],
          verbs: ['get', 'list', 'watch'],
        },
      ],
    });
    new ApiObject(this, 'binding', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name: serviceAccount, namespace }],
    });
  }
}
