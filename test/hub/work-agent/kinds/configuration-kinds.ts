import type { JsonMap } from '../../../../src/base/json/json-map.ts';
import type { Random } from '../../differential/random.ts';
import type { GeneratedKind } from './generated-kind.ts';

const rbac = 'rbac.authorization.k8s.io';

/** A binding of a ClusterRole that every cluster has. */
const binding = (random: Random): JsonMap => ({
  roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: random.pick(['view', 'view', 'edit'] as const) },
  subjects: [{ kind: 'ServiceAccount', name: random.pick(['a', 'b'] as const), namespace: 'default' }],
});

const rules = (random: Random): JsonMap => ({
  rules: [{ apiGroups: [''], resources: ['pods'], verbs: [random.pick(['get', 'list'] as const)] }],
});

/** Configuration, permissions and limits. */
export const configurationKinds: readonly GeneratedKind[] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    content: (random) => ({
      data: { a: random.pick(['1', '2'] as const) },
      ...random.pick([{}, { immutable: true }] as const),
    }),
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    content: (random) => ({
      data: { a: random.pick(['MQ==', 'Mg=='] as const) },
      ...random.pick([{}, { immutable: true }] as const),
      type: random.pick(['Opaque', 'Opaque', 'example.com/x'] as const),
    }),
  },
  {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    content: (random) => random.pick([{}, { automountServiceAccountToken: false }] as const),
  },
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    isClusterScoped: true,
    content: () => ({}),
  },
  {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    // where no test creates a pod
    namespace: 'kube-public',
    content: (random) => ({
      spec: {
        hard: { pods: random.pick(['1', '2'] as const) },
        ...random.pick([{}, { scopes: ['NotTerminating'] }] as const),
      },
    }),
  },
  {
    apiVersion: 'v1',
    kind: 'LimitRange',
    namespace: 'kube-public',
    content: (random) => ({
      spec: { limits: [{ type: 'Pod', max: { cpu: random.pick(['1', '2'] as const) } }] },
    }),
  },
  { apiVersion: `${rbac}/v1`, kind: 'Role', content: rules },
  { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', isClusterScoped: true, content: rules },
  { apiVersion: `${rbac}/v1`, kind: 'RoleBinding', content: binding },
  { apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', isClusterScoped: true, content: binding },
  {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    content: (random) => ({
      spec: { holderIdentity: random.pick(['a', 'b'] as const), leaseDurationSeconds: 60 },
    }),
  },
  {
    // the setup of the test defines it
    apiVersion: 'test.example.com/v1',
    kind: 'Widget',
    content: (random) => ({
      spec: { size: random.pick([1, 2] as const), color: random.pick(['red', 'green', 'blue'] as const) },
    }),
  },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    isClusterScoped: true,
    name: (id) => `r${id.replace('-', 'x')}s.example.com`,
    content: definition,
  },
  {
    // a kind of the hub, which no managed cluster serves
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'Placement',
    content: (random) => ({ spec: { numberOfClusters: random.pick([1, 2] as const) } }),
  },
];

function definition(random: Random, name: string): JsonMap {
  const [plural = '', ...group] = name.split('.');
  const version = (version: string): JsonMap => ({
    name: version,
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object' } },
  });
  return {
    spec: {
      group: group.join('.'),
      scope: random.pick(['Namespaced', 'Namespaced', 'Cluster'] as const),
      names: { plural, kind: `K${plural}` },
      versions: [version(random.pick(['v1', 'v1', 'v2'] as const))],
    },
  };
}
