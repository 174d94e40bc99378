import type { JsonMap } from '../../../src/base/json/json-map.ts';
import type { UpdateStrategy } from '../../../src/ocm/clusters/manifest-options.ts';
import { guessResource, groupOf } from '../../../src/base/names/resource-name.ts';
import type { Random } from '../differential/random.ts';

/** A manifest that a work has first, and the one that it has after an update. */
export interface ManifestPair {
  readonly kind: string;
  /** `group/Kind`. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly resource: { readonly group: string; readonly resource: string };
  readonly strategy: UpdateStrategy;
  readonly before: JsonMap;
  readonly after: JsonMap;
}

/** The namespace that the test creates on the cluster. Another one, or none, makes the API server reject the object. */
export const existingNamespace = 'default';
export const missingNamespace = 'nowhere';

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly isClusterScoped?: true;
  readonly content: (random: Random, name: string) => JsonMap;
}

const pod = (app: string, image: string, restartPolicy?: string): JsonMap => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'a', image }], ...(restartPolicy !== undefined && { restartPolicy }) },
});

/** A workload whose selector matches its template. */
function workload(random: Random, more: JsonMap = {}): JsonMap {
  const app = random.pick(['a', 'a', 'b'] as const);
  return {
    spec: {
      selector: { matchLabels: { app } },
      template: pod(app, random.pick(['x:1', 'x:2'] as const)),
      ...more,
    },
  };
}

const role = (random: Random, kind: string): JsonMap => ({
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: random.pick(['one', 'one', 'two'] as const) },
  subjects: [{ kind: 'ServiceAccount', name: random.pick(['a', 'b'] as const), namespace: 'default' }],
});

const kinds: readonly Kind[] = [
  { apiVersion: 'apps/v1', kind: 'Deployment', content: (random) => workload(random) },
  { apiVersion: 'apps/v1', kind: 'DaemonSet', content: (random) => workload(random) },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet', content: (random) => workload(random) },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    content: (random) =>
      workload(random, {
        serviceName: random.pick(['s', 's', 't'] as const),
        replicas: random.pick([0, 1] as const),
        ...random.pick([{}, { podManagementPolicy: 'Parallel' }] as const),
      }),
  },
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    content: (random) => ({
      spec: {
        template: pod('a', random.pick(['x:1', 'x:1', 'x:2'] as const), 'Never'),
        parallelism: random.pick([1, 2] as const),
      },
    }),
  },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    content: (random) => ({
      spec: {
        schedule: random.pick(['0 0 * * *', '1 0 * * *'] as const),
        jobTemplate: { spec: { template: pod('a', 'x:1', 'Never') } },
      },
    }),
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    content: (random) => ({
      spec: {
        ports: [{ port: random.pick([80, 81] as const) }],
        ...random.pick([{}, {}, { clusterIP: 'None' }] as const),
      },
    }),
  },
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
  { apiVersion: 'v1', kind: 'ServiceAccount', content: () => ({}) },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    content: (random) => ({
      spec: {
        accessModes: [random.pick(['ReadWriteOnce', 'ReadWriteOnce', 'ReadWriteMany'] as const)],
        storageClassName: 'none',
        resources: { requests: { storage: '1Gi' } },
      },
    }),
  },
  {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    content: (random) => ({
      spec: { hard: { pods: '1' }, ...random.pick([{}, { scopes: ['NotTerminating'] }] as const) },
    }),
  },
  {
    apiVersion: 'v1',
    kind: 'LimitRange',
    content: (random) => ({
      spec: { limits: [{ type: 'Pod', max: { cpu: random.pick(['1', '2'] as const) } }] },
    }),
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    content: (random) => ({
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: [random.pick(['get', 'list'] as const)] }],
    }),
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    content: (random) => role(random, 'Role'),
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    isClusterScoped: true,
    content: (random) => role(random, 'ClusterRole'),
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    content: (random) => ({
      spec: { podSelector: {}, policyTypes: [random.pick(['Ingress', 'Egress'] as const)] },
    }),
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    isClusterScoped: true,
    content: (random) => ({ spec: { controller: random.pick(['a.com/x', 'a.com/y'] as const) } }),
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    content: (random) => ({
      spec: { minAvailable: random.pick([1, 2] as const), selector: { matchLabels: { app: 'a' } } },
    }),
  },
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    content: (random) => ({
      spec: {
        maxReplicas: random.pick([2, 3] as const),
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
      },
    }),
  },
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    isClusterScoped: true,
    content: (random) => ({
      value: random.pick([1, 1, 2] as const),
      ...random.pick([
        {},
        { preemptionPolicy: 'PreemptLowerPriority' },
        { preemptionPolicy: 'Never' },
      ] as const),
    }),
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    isClusterScoped: true,
    content: (random) => ({
      provisioner: random.pick(['a.com/x', 'a.com/x', 'a.com/y'] as const),
      ...random.pick([{}, { reclaimPolicy: 'Delete' }, { reclaimPolicy: 'Retain' }] as const),
      allowVolumeExpansion: random.chance(0.5),
    }),
  },
  {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    isClusterScoped: true,
    content: (random) => ({ handler: random.pick(['a', 'b'] as const) }),
  },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    isClusterScoped: true,
    content: (random, name) => definition(random, name),
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

const strategies: readonly UpdateStrategy[] = [
  'Update',
  'Update',
  'ServerSideApply',
  'CreateOnly',
  'ReadOnly',
];

/** Returns a random manifest in two versions. */
export function manifestPair(random: Random, id: string): ManifestPair {
  const { apiVersion, kind, isClusterScoped, content } = random.pick(kinds);
  const name = kind === 'CustomResourceDefinition' ? `r${id}s.example.com` : `m-${id}`;
  const namespace =
    isClusterScoped === true
      ? ''
      : random.pick([existingNamespace, existingNamespace, existingNamespace, missingNamespace, ''] as const);
  const manifest = (version: string): JsonMap => ({
    apiVersion,
    kind,
    metadata: { name, ...(namespace !== '' && { namespace }), labels: { version } },
    ...content(random, name),
  });
  const group = groupOf(apiVersion);
  return {
    kind,
    key: `${group}/${kind}`,
    namespace,
    name,
    resource: { group, resource: guessResource(kind) },
    strategy: random.pick(strategies),
    before: manifest('one'),
    after: manifest('two'),
  };
}
