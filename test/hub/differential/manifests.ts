import { awkwardTexts } from './deployment-configs.ts';
import { present, type Random } from './random.ts';

/** A manifest as a template holds it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: object;
  readonly [field: string]: unknown;
}

const namespaces = ['agents', 'other', 'open-cluster-management-agent-addon'] as const;
const images = [
  'nginx',
  'docker.io/library/nginx:1.27',
  'quay.io/ocm/agent:v1',
  'quay.io/other/agent@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  'ghcr.io/a/b/c:2',
  '{{IMAGE}}',
] as const;

/** A text as templates have them: with variables that are defined, misspelled, or not variables at all. */
export function templateText(random: Random): string {
  return random.pick([
    '--cluster={{CLUSTER_NAME}}',
    '--ns={{INSTALL_NAMESPACE}}',
    '--v={{LOG_LEVEL}}',
    '--e={{Endpoint}}&x=<y>',
    '--kc={{HUB_KUBECONFIG}}',
    '{{MODE}}',
    '{{_x}}{{_x}}',
    '{{ CLUSTER_NAME }}',
    '{{undefined}}',
    '{{}}',
    '}}',
    'plain',
    ...awkwardTexts.filter((text) => !text.includes('{{')),
  ] as const);
}

function container(random: Random, name: string): object {
  return present({
    name,
    image: random.pick(images),
    args: random.maybe(0.6, () => random.times(random.between(1, 3), () => templateText(random))),
    command: random.maybe(0.2, () => ['sh', '-c', templateText(random)]),
    env: random.maybe(0.5, () => [
      { name: 'A', value: templateText(random) },
      ...random.some([{ name: 'CLUSTER_NAME', value: 'preset' }], 0.3),
      ...random.some([{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }], 0.3),
      ...random.some([{ name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } }], 0.2),
    ]),
    resources: random.maybe(0.5, () =>
      present({
        limits: random.maybe(0.6, () => ({
          cpu: random.pick(['1', '500m', 1, 0.5] as const),
          memory: '1024Mi',
        })),
        requests: random.maybe(0.6, () => ({ cpu: '10m' })),
      }),
    ),
    ports: random.maybe(0.3, () => [{ containerPort: random.pick([8080, 8080.0] as const), name: 'http' }]),
    livenessProbe: random.maybe(0.2, () => ({
      httpGet: {
        path: '/healthz',
        port: random.pick(['http', 8080] as const),
        httpHeaders: [{ name: 'X', value: '' }],
      },
      initialDelaySeconds: 0,
      periodSeconds: 10,
    })),
    volumeMounts: random.maybe(0.2, () => [
      { name: 'data', mountPath: '/data', readOnly: random.chance(0.5) },
    ]),
    securityContext: random.maybe(0.2, () => ({
      runAsNonRoot: true,
      privileged: false,
      capabilities: { drop: ['ALL'] },
    })),
    ...random.maybe(0.1, () => ({ unknownField: { a: 1 } })),
    imagePullPolicy: random.maybe(0.2, () => 'Always'),
  });
}

function podTemplate(random: Random): object {
  return present({
    metadata: random.maybe(0.9, () => ({
      labels: { app: 'agent' },
      annotations: { a: templateText(random) },
    })),
    spec: present({
      containers: ['main', ...random.some(['side'], 0.5)].map((name) => container(random, name)),
      initContainers: random.maybe(0.3, () => [container(random, 'init')]),
      nodeSelector: random.maybe(0.3, () => ({ disk: 'hdd' })),
      tolerations: random.maybe(0.4, () => [{ key: 'own', operator: 'Exists' }]),
      volumes: random.maybe(0.3, () => [{ name: 'data', emptyDir: random.pick([{}, { sizeLimit: '1Gi' }]) }]),
      serviceAccountName: random.maybe(0.3, () => 'agent-sa'),
      hostNetwork: random.maybe(0.2, () => random.chance(0.5)),
      terminationGracePeriodSeconds: random.maybe(0.2, () => 0),
      affinity: random.maybe(0.1, () => null),
    }),
  });
}

function workload(random: Random, kind: string, name: string): Manifest {
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: metadata(random, name, true),
    spec: present({
      ...(kind === 'DaemonSet'
        ? {}
        : { replicas: random.pick([0, 1, 3, 2.0, undefined, ...random.some(['{{REPLICAS}}'], 0.2)]) }),
      selector: random.maybe(0.95, () => ({ matchLabels: { app: 'agent' } })),
      ...(kind === 'Deployment' && random.chance(0.3)
        ? {
            strategy: {
              type: 'RollingUpdate',
              rollingUpdate: { maxSurge: random.pick([1, '25%'] as const) },
            },
          }
        : {}),
      ...(kind === 'StatefulSet' ? { serviceName: 'agent' } : {}),
      template: podTemplate(random),
      ...random.maybe(0.1, () => ({ revisionHistoryLimit: null })),
    }),
    ...random.maybe(0.1, () => ({ status: { replicas: 1 } })),
  };
}

function metadata(random: Random, name: string, namespaced: boolean): object {
  return present({
    name,
    namespace: namespaced ? random.pick([...namespaces, ...random.some([undefined], 0.2)]) : undefined,
    labels: random.maybe(0.3, () => ({ app: 'agent', empty: '' })),
    annotations: random.maybe(0.3, () =>
      present({
        'example.com/text': templateText(random),
        'addon.open-cluster-management.io/deletion-orphan': random.maybe(0.4, () => ''),
        'addon.open-cluster-management.io/addon-pre-delete': random.maybe(0.1, () => ''),
        'addon.open-cluster-management.io/hosted-manifest-location': random.maybe(0.1, () => 'hosting'),
      }),
    ),
    creationTimestamp: random.maybe(0.1, () => null),
  });
}

type Make = (random: Random, name: string) => Manifest;

const others: readonly Make[] = [
  (random, name) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata(random, name, true),
    data: { text: templateText(random), [random.pick(['key', '{{MODE}}-key'])]: templateText(random) },
  }),
  (random, name) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata(random, name, true) }),
  (random, name) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: metadata(random, name, true),
    type: 'Opaque',
    stringData: { a: templateText(random) },
  }),
  (random, name) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: metadata(random, random.pick([name, 'literal-namespace']), false),
  }),
  (random, name) => ({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: metadata(random, name, true),
    spec: { schedule: '0 * * * *', jobTemplate: { spec: { template: podTemplate(random) } } },
  }),
  (random, name) => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: metadata(random, name, true),
    spec: { backoffLimit: 0, template: podTemplate(random) },
  }),
  (random, name) => workload(random, 'StatefulSet', name),
  (random, name) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: metadata(random, name, false),
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }],
  }),
  (random, name) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: random.pick(['ClusterRoleBinding', 'RoleBinding']),
    metadata: metadata(random, name, true),
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    ...(random.chance(0.95)
      ? {
          subjects: [
            { kind: 'ServiceAccount', name: 'agent-sa', namespace: 'agents' },
            ...random.some([{ kind: 'Group', name: 'g', apiGroup: 'rbac.authorization.k8s.io' }], 0.4),
          ],
        }
      : {}),
  }),
  (random, name) => ({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: metadata(random, name, true),
    spec: {
      number: random.pick([1, 1.5, 1e21, 0.1, -0, 9007199254740991]),
      null: null,
      list: [1, 'a', null, {}],
      nested: { text: templateText(random) },
    },
  }),
];

/** ConfigMaps so large that they do not fit in one work. No two are of one size: those the hub would put in random order. */
function bulky(random: Random): Manifest[] {
  const sizes = random.sample([420_000, 300_000, 205_000, 150_000, 90_000, 40_000], random.between(1, 4));
  return sizes.map((size, index) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata(random, `bulky-${index}`, true),
    data: { text: `${templateText(random)}${'x'.repeat(size)}` },
  }));
}

/** The manifests of a template: workloads that the hub decorates, and others that it leaves alone. */
export function manifests(random: Random): Manifest[] {
  const workloads = [
    ...random.some(['Deployment'], 0.85),
    ...random.some(['Deployment'], 0.2),
    ...random.some(['DaemonSet'], 0.35),
  ].map((kind, index) => workload(random, kind, index === 0 ? 'agent' : `agent-${index}`));
  const rest = random.times(random.between(0, 4), (index) => random.pick(others)(random, `other-${index}`));
  const all = [...workloads, ...rest, ...(random.chance(0.08) ? bulky(random) : [])];
  return random.sample(all, all.length);
}
