// Lets services on the hub reach the API servers of clusters without inbound access: the agents connect to the hub, and
// requests of the hub use this tunnel. The ManagedProxyConfiguration has the address that agents connect to. There is one
// for the whole hub. AddOnDeploymentConfigs select the nodes that agents run on.
//
// The Helm chart of the add-on installs its manager into the namespace open-cluster-management-addon. This app replaces the
// ClusterManagementAddOn and the ManagedProxyConfiguration of that chart.
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

// --- Tunnels ---

const proxy = new ApiObject(hub, 'proxy', {
  apiVersion: 'proxy.open-cluster-management.io/v1alpha1',
  kind: 'ManagedProxyConfiguration',
  // The kind is cluster-scoped.
  metadata: { name: 'cluster-proxy', namespace: '' },
  spec: {
    authentication: { signer: { type: 'SelfSigned' } },
    proxyServer: {
      namespace: 'open-cluster-management-addon',
      replicas: 3,
      // The address that clusters connect to. It routes to the Service of the proxy servers, which this app does not create.
      entrypoint: { type: 'Hostname', hostname: { value: 'proxy.hub.example.com' }, port: 8091 },
    },
    proxyAgent: { replicas: 2 },
  },
});

// --- Nodes of the agents ---

new ManagedClusterSetBinding(hub, 'global', { clusterSet: ManagedClusterSet.global });
/** Unreachable clusters keep the proxy, because they need it most. */
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

// A change of the proxy interrupts tunnels, so only a fifth of the clusters changes at a time.
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
