// Collects the metrics of every cluster with a Prometheus agent. Its settings are parameters: each layer below sets single
// values, from weak to strong, and synth compiles them to one AddOnDeploymentConfig per distinct result.
import {
  AddOnParameters,
  AddOnTemplate,
  App,
  Chart,
  ClusterManagementAddOn,
  Fact,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Merge,
  Parameter,
  Placement,
  Selector,
  Toleration,
} from 'fleetwright';
import { Namespace } from 'cdk8s-plus-27';
import { agent } from './agent.ts';

const app = new App();
const hub = new Chart(app, 'hub', { namespace: 'metrics-agent' });

new Namespace(hub, 'namespace', { metadata: { name: 'metrics-agent' } });

// --- Clusters ---

const shops = ManagedClusterSet.reference('shops');
const trading = ManagedClusterSet.reference('trading');
new ManagedClusterSetBinding(hub, 'global', { clusterSet: ManagedClusterSet.global });
new ManagedClusterSetBinding(hub, 'shops', { clusterSet: shops });
new ManagedClusterSetBinding(hub, 'trading', { clusterSet: trading });

// An unreachable cluster keeps its add-on.
const tolerations = [Toleration.unreachable(), Toleration.unavailable()];
const everywhere = new Placement(hub, 'everywhere', {
  clusterSets: [ManagedClusterSet.global],
  tolerations,
});
const sites = new Placement(hub, 'sites', { clusterSets: [shops, trading], tolerations });

// --- Add-on ---

const template = new AddOnTemplate(hub, 'template', {
  name: 'metrics-agent-0.1.0',
  addonName: 'metrics-agent',
  workload: agent,
});

const addOn = new ClusterManagementAddOn(hub, 'metrics-agent', {
  displayName: 'Metrics agent',
  description: 'Sends the metrics of the cluster to the collector of its region',
  defaultConfigs: [template],
  // The last placement that selects a cluster decides.
  placements: [{ placement: everywhere }, { placement: sites }],
  // Clusters with other values than most of their placement get a placement, which Argo CD and Flux prune as any other object.
  override: 'placement',
});

// --- Configuration ---

const parameters = new AddOnParameters(hub, 'parameters', {
  addOn,
  parameters: {
    COLLECTOR: Parameter.string({ pattern: '^https://', description: 'where the metrics are sent' }),
    INTERVAL: Parameter.integer({
      default: 30,
      min: 5,
      max: 300,
      description: 'seconds between two samples',
    }),
    LOG_LEVEL: Parameter.enum(['debug', 'info', 'warn'], { default: 'info' }),
    TEAM: Parameter.string({ default: 'platform', description: 'who pays for the metrics' }),
    namespace: Parameter.agentInstallNamespace({ default: 'metrics-agent' }),
    nodes: Parameter.nodePlacement({ default: { nodeSelector: { 'kubernetes.io/os': 'linux' } } }),
    mirrors: Parameter.registries(),
  },
});

// The hub: `facts` of the hub in fleetwright.yaml can name another collector.
parameters.forHub('*', { COLLECTOR: Fact.hub('collector', { default: 'https://metrics.example.com' }) });

// All clusters.
parameters.forEveryCluster({ mirrors: [{ source: 'docker.io', mirror: 'mirror.example.com' }] });

// The clusters of a placement. Sites have slow uplinks, and the set of a site is its team.
parameters.forPlacement(sites, { INTERVAL: 60, TEAM: Fact.clusterSet });

// Clusters by their labels, claims and sets. Of two that match, the later one is stronger.
parameters.where({ env: 'prod' }, { LOG_LEVEL: 'warn', nodes: { nodeSelector: { pool: 'monitoring' } } });
parameters.where(
  { claims: Selector.in('region.open-cluster-management.io', ['ap-northeast-1', 'ap-south-1']) },
  { COLLECTOR: 'https://metrics.ap.example.com' },
);
parameters.where(
  { sets: [trading] },
  { mirrors: Merge.append([{ source: 'docker.io/prom', mirror: 'registry.trading.example.com/prom' }]) },
);

// One cluster.
parameters.forCluster('cluster1', { LOG_LEVEL: 'debug', INTERVAL: 5 });

export default app;
