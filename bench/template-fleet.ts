import type { KubernetesObject } from '../src/base/objects/object-meta.ts';

const group = 'addon.open-cluster-management.io';
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

/** Returns that template with one configuration, as an add-on on some clusters: the ManagedClusterAddOns come last. */
export function templateFleet(clusters: number): KubernetesObject[] {
  const names = Array.from({ length: clusters }, (_, index) => `cluster-${index}`);
  return [
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
    ...names.map((name) => ({
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: { name },
      spec: { hubAcceptsClient: true },
    })),
    ...names.map((namespace) => ({
      apiVersion: `${group}/v1beta1`,
      kind: 'ManagedClusterAddOn',
      metadata: { name: 'agent', namespace },
      spec: {},
    })),
  ];
}
