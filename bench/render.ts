// How fast works are rendered, and whether twice the clusters take twice the time. Times are CPU seconds of this process, so
// that other programs on the machine do not count; one core at 100 % does as many works a second.
//
//   node --import tsx bench/render.ts
import { admit } from '../compiler/admit/admit.ts';
import { configure } from '../compiler/configure/configure.ts';
import { goJson } from '../compiler/go-json.ts';
import { hubVersion } from '../compiler/hub-version.ts';
import type { LoadedObject } from '../compiler/inventory.ts';
import { place } from '../compiler/place/place.ts';
import { render } from '../compiler/render/render.ts';
import type { KubernetesObject } from '../schemas/object-meta.ts';

const group = 'addon.open-cluster-management.io';
const origin = {
  location: { file: 'bench', line: 1, column: 1 },
  locate: () => ({ file: 'bench', line: 1, column: 1 }),
};

/** A template of five manifests: two workloads with variables, a ConfigMap with the cluster's name, and two without any. */
const manifests = [
  workload('Deployment', 'controller'),
  workload('DaemonSet', 'node-agent'),
  object('v1', 'ConfigMap', 'settings', { data: { cluster: '{{CLUSTER_NAME}}', mode: '{{MODE}}' } }),
  object('v1', 'ServiceAccount', 'agent', {}),
  object('rbac.authorization.k8s.io/v1', 'RoleBinding', 'agent', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'ServiceAccount', name: 'agent', namespace: 'agents' }],
  }),
];

function workload(kind: string, name: string): KubernetesObject {
  const labels = { app: name };
  const container = {
    name: 'main',
    image: 'quay.io/ocm/agent:v1.2.3',
    args: ['--cluster={{CLUSTER_NAME}}', '--mode={{MODE}}', '--kubeconfig={{HUB_KUBECONFIG}}'],
    env: [{ name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
    ports: [{ name: 'http', containerPort: 8080 }],
    livenessProbe: { httpGet: { path: '/healthz', port: 'http' }, initialDelaySeconds: 5 },
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    securityContext: { readOnlyRootFilesystem: true, runAsNonRoot: true },
  };
  return object('apps/v1', kind, name, {
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { serviceAccountName: 'agent', containers: [container] } },
    },
  });
}

function object(apiVersion: string, kind: string, name: string, rest: object): KubernetesObject {
  return { apiVersion, kind, metadata: { name, namespace: 'agents' }, ...rest };
}

function fleet(clusters: number): LoadedObject[] {
  const names = Array.from({ length: clusters }, (_, index) => `cluster-${index}`);
  const objects: KubernetesObject[] = [
    {
      apiVersion: `${group}/v1alpha1`,
      kind: 'ClusterManagementAddOn',
      metadata: { name: 'agent' },
      spec: {
        supportedConfigs: [
          { group, resource: 'addontemplates', defaultConfig: { name: 'agent' } },
          { group, resource: 'addondeploymentconfigs', defaultConfig: { namespace: 'ns', name: 'agent' } },
        ],
      },
    },
    {
      apiVersion: `${group}/v1alpha1`,
      kind: 'AddOnTemplate',
      metadata: { name: 'agent' },
      spec: {
        addonName: 'agent',
        agentSpec: { workload: { manifests } },
        registration: [
          {
            type: 'KubeClient',
            kubeClient: {
              hubPermissions: [{ type: 'CurrentCluster', currentCluster: { clusterRoleName: 'agent' } }],
            },
          },
        ],
      },
    },
    {
      apiVersion: `${group}/v1alpha1`,
      kind: 'AddOnDeploymentConfig',
      metadata: { name: 'agent', namespace: 'ns' },
      spec: {
        agentInstallNamespace: 'agents',
        customizedVariables: [{ name: 'MODE', value: 'fast' }],
        nodePlacement: { nodeSelector: { disk: 'ssd' }, tolerations: [{ operator: 'Exists' }] },
        registries: [{ source: 'quay.io/ocm', mirror: 'registry.example.com/ocm' }],
        proxyConfig: { httpsProxy: 'https://proxy:3128', noProxy: '.cluster.local' },
        resourceRequirements: [
          { containerID: 'deployments:*:*', resources: { limits: { memory: '512Mi' } } },
        ],
      },
    },
    ...names.flatMap((name): KubernetesObject[] => [
      {
        apiVersion: 'cluster.open-cluster-management.io/v1',
        kind: 'ManagedCluster',
        metadata: { name },
        spec: { hubAcceptsClient: true },
      },
      {
        apiVersion: `${group}/v1beta1`,
        kind: 'ManagedClusterAddOn',
        metadata: { name: 'agent', namespace: name },
        spec: {},
      },
    ]),
  ];
  return objects.map((loaded) => ({ object: loaded, origin, source: 'app' }));
}

interface Run {
  readonly clusters: number;
  readonly works: number;
  readonly megabytes: number;
  readonly seconds: number;
  readonly heapMegabytes: number;
}

function run(clusters: number): Run {
  const inventory = admit(fleet(clusters)).value;
  const decisions = place(inventory, { now: 0 }).value;
  const configuration = configure(inventory, decisions).value;
  const start = process.cpuUsage();
  const { value } = render(inventory, decisions, configuration, { hub: hubVersion('1.3') });
  let works = 0;
  let bytes = 0;
  let heap = 0;
  for (const cluster of configuration.get('agent')?.clusters.keys() ?? []) {
    for (const work of value.clusterAddOn('agent', cluster)?.works ?? []) {
      works++;
      // one in a hundred, so that measuring the size does not count
      if (works % 100 === 0) bytes += goJson(work).length * 100;
    }
    if (works % 1000 === 0) heap = Math.max(heap, process.memoryUsage().heapUsed);
  }
  const { user, system } = process.cpuUsage(start);
  const seconds = (user + system) / 1e6;
  return { clusters, works, megabytes: bytes / 1e6, seconds, heapMegabytes: heap / 1e6 };
}

run(1000); // to warm up
const runs = [1250, 2500, 5000, 10_000].map(run);
const rows = runs.map(({ clusters, works, megabytes, seconds, heapMegabytes }) => ({
  clusters,
  works,
  'MB of works': megabytes.toFixed(1),
  'CPU s': seconds.toFixed(2),
  'works/s': Math.round(works / seconds),
  'heap MB': Math.round(heapMegabytes),
}));
const columns = Object.keys(rows[0] ?? {});
for (const line of [columns, ...rows.map((row) => Object.values(row).map(String))]) {
  process.stdout.write(`${line.map((cell) => cell.padStart(12)).join('')}\n`);
}
