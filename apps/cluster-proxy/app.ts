// Lets services on the hub reach the API servers of clusters that open no way in themselves: the agents dial out, and
// what the hub asks comes back through the tunnel. What they dial stands in a ManagedProxyConfiguration, which is one for
// the whole hub; where on a cluster they run stands in an AddOnDeploymentConfig.
//
// The add-on's own manager comes with its Helm chart, into the namespace open-cluster-management-addon. This app is in
// place of the ClusterManagementAddOn and the ManagedProxyConfiguration of that chart.
import {
  AddOnConfig,
  AddOnDeploymentConfig,
  ApiObject,
  App,
  Chart,
  ClusterManagementAddOn,
  Duration,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
  Rollout,
  Toleration,
} from 'fleetwright';
import { Namespace } from 'cdk8s-plus-27';

const app = new App();
const hub = new Chart(app, 'hub', { namespace: 'cluster-proxy' });
new Namespace(hub, 'namespace', { metadata: { name: 'cluster-proxy' } });

// --- How the tunnels are made ---

const proxy = new ApiObject(hub, 'proxy', {
  apiVersion: 'proxy.open-cluster-management.io/v1alpha1',
  kind: 'ManagedProxyConfiguration',
  // The kind has no namespaces.
  metadata: { name: 'cluster-proxy', namespace: '' },
  spec: {
    authentication: { signer: { type: 'SelfSigned' } },
    proxyServer: {
      namespace: 'open-cluster-management-addon',
      replicas: 3,
      // What the clusters dial. It leads to the Service of the proxy servers, which is not made here.
      entrypoint: { type: 'Hostname', hostname: { value: 'proxy.hub.example.com' }, port: 8091 },
    },
    proxyAgent: { replicas: 2 },
  },
});

// --- Where the agents run ---

new ManagedClusterSetBinding(hub, 'global', { clusterSet: ManagedClusterSet.global });
/** A cluster that cannot be reached otherwise is the last one to take the proxy from. */
const tolerations = [Toleration.unreachable(), Toleration.unavailable()];
const everywhere = new Placement(hub, 'everywhere', { tolerations });
const edge = new Placement(hub, 'edge', { predicates: [{ labels: { site: 'edge' } }], tolerations });

const onControlPlanes = new AddOnDeploymentConfig(hub, 'on-control-planes', {
  nodePlacement: {
    // Edge clusters have no other nodes.
    nodeSelector: { 'node-role.kubernetes.io/control-plane': '' },
    tolerations: [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists', effect: 'NoSchedule' }],
  },
});

// A change of the proxy cuts tunnels: a fifth of the clusters at a time.
const rollout = Rollout.progressive({
  maxConcurrency: '20%',
  progressDeadline: Duration.minutes(10),
  maxFailures: 1,
});

new ClusterManagementAddOn(hub, 'cluster-proxy', {
  displayName: 'cluster-proxy',
  description: 'Reaches the clusters from the hub',
  defaultConfigs: [
    AddOnConfig.fromObject(proxy, 'managedproxyconfigurations'),
    AddOnConfig.supported(AddOnDeploymentConfig),
  ],
  placements: [
    { placement: everywhere, rollout },
    { placement: edge, configs: [onControlPlanes], rollout },
  ],
});

export default app;
