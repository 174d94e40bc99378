// Two add-ons without a manager of their own: one from a Helm chart, one from plain Go templates. synth renders both for each
// cluster as addon-framework's agents would, and the companion (fleetwright controller hub) registers the agents.
import {
  AddOnDeploymentConfig,
  AddOnTemplate,
  ApiObject,
  App,
  Chart,
  ClusterManagementAddOn,
  GoTemplates,
  HelmChart,
  HubPermission,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
  Registration,
  Toleration,
} from 'fleetwright';

const app = new App();
const hub = new Chart(app, 'helloworld-chart', { namespace: 'helloworld-chart' });

new ApiObject(hub, 'namespace', {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'helloworld-chart' },
});

// The permissions of agents in the namespace of their cluster.
const agentRole = new ApiObject(hub, 'agent-role', {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'helloworld-chart-agent' },
  rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
});

// --- Clusters ---

new ManagedClusterSetBinding(hub, 'global', { clusterSet: ManagedClusterSet.global });

const tolerations = [Toleration.unreachable(), Toleration.unavailable()];

const clustersWith = (name: string, labels: Readonly<Record<string, string>>): Placement =>
  new Placement(hub, name, { predicates: [{ labels }], tolerations, numberOfClusters: 1 });

// Three clusters, which differ by their labels.
const development = clustersWith('development', { env: 'dev' });
const canary = clustersWith('canary', { env: 'prod', canary: 'true' });
const edge = clustersWith('edge', { shop: 'headquarters' });

// --- Configuration ---

const template = new AddOnTemplate(hub, 'template', {
  name: 'helloworld-chart-1.0.0',
  addonName: 'helloworld-chart',
  workload: (workload) => {
    new HelmChart(workload, 'helloworld', {
      chart: new URL('chart', import.meta.url),
      values: { imagePullPolicy: 'Always' },
      // The variables of the configurations below, as values of the chart.
      variables: { GREETING: 'greeting.text', REPLICAS: 'replicas', SIZE: 'size' },
    });
  },
  registration: [Registration.kubeClient({ hubPermissions: [HubPermission.currentCluster(agentRole)] })],
});

const agentInstallNamespace = 'helloworld-chart';

const onDevelopment = new AddOnDeploymentConfig(hub, 'development-config', { agentInstallNamespace });

const onCanary = new AddOnDeploymentConfig(hub, 'canary-config', {
  agentInstallNamespace,
  customizedVariables: { GREETING: 'Welcome', REPLICAS: '3', SIZE: 'large' },
});

const onEdge = new AddOnDeploymentConfig(hub, 'edge-config', {
  agentInstallNamespace,
  customizedVariables: { GREETING: 'Good morning' },
  nodePlacement: {
    nodeSelector: { 'node-role.kubernetes.io/infra': '' },
    tolerations: [{ key: 'infra', operator: 'Exists', effect: 'NoSchedule' }],
  },
});

// --- Add-ons ---

new ClusterManagementAddOn(hub, 'helloworld-chart', {
  displayName: 'Hello world, from a chart',
  delivery: 'compiled',
  defaultConfigs: [template],
  placements: [
    { placement: development, configs: [onDevelopment] },
    { placement: canary, configs: [onCanary] },
    { placement: edge, configs: [onEdge] },
  ],
});

const templates = new AddOnTemplate(hub, 'templates', {
  name: 'helloworld-go-templates-1.0.0',
  addonName: 'helloworld-go-templates',
  workload: (workload) => {
    new GoTemplates(workload, 'helloworld', {
      folder: new URL('manifests', import.meta.url),
      values: { Greeting: 'Hello' },
    });
  },
});

new ClusterManagementAddOn(hub, 'helloworld-go-templates', {
  displayName: 'Hello world, from Go templates',
  delivery: 'compiled',
  defaultConfigs: [
    templates,
    new AddOnDeploymentConfig(hub, 'templates-config', {
      agentInstallNamespace,
      nodePlacement: { nodeSelector: { 'kubernetes.io/os': 'linux' } },
    }),
  ],
  placements: [{ placement: development }, { placement: canary }, { placement: edge }],
});

export default app;
