import type { JsonMap } from '../../../src/base/json/json-map.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { ocmKinds, reference } from '../client/kinds.ts';

const rbac = 'rbac.authorization.k8s.io';

const rule = (group: string, resources: readonly string[], verbs: readonly string[] = ['*']): JsonMap => ({
  apiGroups: [group],
  resources,
  verbs,
});

/** A ServiceAccount with whose permissions works are checked, and the binding of its role. */
interface Executor {
  readonly namespace: string;
  readonly name: string;
  /** The ClusterRole. */
  readonly role: string;
  /** The namespace in which it has the role. Absent if it has it everywhere. */
  readonly within?: string;
}

/** From an administrator to one that may only read. */
export const executors: readonly Executor[] = [
  { namespace: 'deploy', name: 'administrator', role: 'cluster-admin' },
  { namespace: 'deploy', name: 'cluster-editor', role: 'admin' },
  { namespace: 'deploy', name: 'editor', role: 'edit', within: 'default' },
  { namespace: 'deploy', name: 'reader', role: 'view' },
  { namespace: 'deploy', name: 'writer', role: 'executor-writer', within: 'default' },
  { namespace: 'deploy', name: 'keeper', role: 'executor-keeper' },
];

const everyday = (verbs: readonly string[]): readonly JsonMap[] => [
  rule('', ['configmaps', 'secrets', 'services', 'serviceaccounts', 'namespaces'], verbs),
  rule('apps', ['deployments', 'daemonsets', 'statefulsets'], verbs),
  rule(rbac, ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'], verbs),
  rule('test.example.com', ['widgets'], verbs),
];

const clusterRole = (name: string, rules: readonly JsonMap[], labels: JsonMap = {}): JsonMap => ({
  apiVersion: `${rbac}/v1`,
  kind: 'ClusterRole',
  metadata: { name, labels },
  rules,
});

const clusterRoles: readonly JsonMap[] = [
  // Kinds that the work agent may write besides those of its own roles. It gets neither FlowSchemas nor Endpoints.
  clusterRole(
    'work-more',
    [
      rule('', ['limitranges', 'persistentvolumes', 'podtemplates', 'resourcequotas']),
      rule('admissionregistration.k8s.io', ['validatingadmissionpolicies']),
      // without it, the agent could not remove one of these from a work
      rule(
        'admissionregistration.k8s.io',
        ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
        ['delete'],
      ),
      rule('apps', ['controllerrevisions']),
      rule('discovery.k8s.io', ['endpointslices']),
      // without the permission to patch
      rule('networking.k8s.io', ['ingressclasses'], ['get', 'create', 'update', 'delete']),
      rule('node.k8s.io', ['runtimeclasses']),
      rule('resource.k8s.io', ['deviceclasses']),
      rule('storage.k8s.io', ['csidrivers', 'storageclasses', 'volumeattributesclasses']),
      rule('test.example.com', ['widgets']),
    ],
    { 'open-cluster-management.io/aggregate-to-work': 'true' },
  ),
  // all verbs, and the permissions that its Roles grant
  clusterRole('executor-writer', [...everyday(['*']), rule('', ['pods'], ['get', 'list'])]),
  // no permission to delete, which works need that own their objects
  clusterRole('executor-keeper', everyday(['get', 'create', 'update', 'patch'])),
];

const bindings: readonly JsonMap[] = executors.map(({ namespace, name, role, within }) => ({
  apiVersion: `${rbac}/v1`,
  kind: within === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
  metadata: { name: `executor-${name}`, ...(within !== undefined && { namespace: within }) },
  roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'ServiceAccount', namespace, name }],
}));

const widgets: JsonMap = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.test.example.com' },
  spec: {
    group: 'test.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { size: { type: 'integer' }, color: { type: 'string' } } },
            },
          },
        },
      },
    ],
  },
};

/** The work that defines a kind, and grants permissions to the work agent and to executors. */
export function permittingWork(cluster: string): KubernetesObject {
  return {
    ...reference(ocmKinds.manifestWork, 'permissions', cluster),
    spec: { workload: { manifests: [widgets, ...clusterRoles, ...bindings] } },
  };
}
