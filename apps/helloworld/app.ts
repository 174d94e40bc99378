// The add-on of OCM's documentation, with all three levels of configuration: the defaults, a placement, and a
// single cluster. It has its own manager on the hub, written with the addon-framework, which deploys the
// agent. apps/helloworld-template is the same add-on without such a manager.
import {
  AddOnDeploymentConfig,
  App,
  Chart,
  ClusterManagementAddOn,
  DecisionGroup,
  Duration,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
  Rollout,
  Selector,
  Toleration,
} from 'fleetwright';
import { defineExampleConfig, ExampleConfig } from './example-config.ts';

const platform = 'platform.open-cluster-management.io';
const region = 'region.open-cluster-management.io';

const app = new App();

// --- Clusters ---

const placements = new Chart(app, 'placements', { namespace: 'default' });

// A Placement sees only the sets that are bound to its namespace.
new ManagedClusterSetBinding(placements, 'default', { clusterSet: ManagedClusterSet.default });

const canaryWest = DecisionGroup.named('prod-canary-west', {
  labels: { env: 'prod', canary: 'true' },
  claims: Selector.in(region, ['us-west-1', 'us-west-2']),
});
const canaryEast = DecisionGroup.named('prod-canary-east', {
  labels: { env: 'prod', canary: 'true' },
  claims: Selector.in(region, ['us-east-1', 'us-east-2']),
});

// An unreachable cluster keeps its add-on. Without these tolerations, the hub would uninstall it there.
const tolerations = [Toleration.unreachable(), Toleration.unavailable()];

const aws = new Placement(placements, 'placement-aws', {
  predicates: [{ claims: { [platform]: 'aws' } }],
  tolerations,
  decisionGroups: [canaryWest, canaryEast],
});

const others = new Placement(placements, 'placement-others', {
  predicates: [{ claims: Selector.notIn(platform, ['aws']) }],
  tolerations,
});

// --- Configuration ---

const configs = new Chart(app, 'configs', { namespace: 'open-cluster-management' });

defineExampleConfig(configs);

const defaultDeployConfig = new AddOnDeploymentConfig(configs, 'default-deploy-config', {
  customizedVariables: { LOG_LEVEL: '2' },
});
const defaultExampleConfig = new ExampleConfig(configs, 'default-example-config', {
  greeting: 'Hello world',
  intervalSeconds: 300,
});

const deployConfig = new AddOnDeploymentConfig(configs, 'deploy-config', {
  customizedVariables: { LOG_LEVEL: '4' },
  registries: [{ source: 'quay.io/open-cluster-management', mirror: 'registry.example.com/ocm' }],
});
const exampleConfig1 = new ExampleConfig(configs, 'example-config-1', {
  greeting: 'Hello AWS',
  intervalSeconds: 60,
});
const exampleConfig2 = new ExampleConfig(configs, 'example-config-2', {
  greeting: 'Howdy',
  intervalSeconds: 3600,
});

// --- Add-on ---

const addOn = new Chart(app, 'add-on');

const helloworld = new ClusterManagementAddOn(addOn, 'helloworld', {
  displayName: 'helloworld',
  description: 'Greets from every cluster, as its configuration says',
  defaultConfigs: [defaultDeployConfig, defaultExampleConfig],
  placements: [
    // These clusters use the defaults, and change all at once.
    { placement: others },
    {
      placement: aws,
      // Two of one kind, as in the documentation. Their order is random on hubs up to OCM 1.3.
      configs: [deployConfig, exampleConfig1, exampleConfig2],
      rollout: Rollout.progressive({
        // First the canaries in the west, then those in the east, then a quarter of the others at a time.
        mandatoryGroups: [canaryWest, canaryEast],
        maxConcurrency: '25%',
        progressDeadline: Duration.minutes(10),
        // As in the documentation. It has no effect, because with mandatory groups no cluster may time out.
        maxFailures: 2,
      }),
    },
  ],
});

// placement-aws selects cluster1, but cluster1 has its own deployment config and example config. They replace
// these two kinds as a whole: neither example-config-1 nor example-config-2 is used.
helloworld.forCluster('cluster1', {
  configs: [
    new AddOnDeploymentConfig(configs, 'cluster1-deploy-config', {
      nodePlacement: { nodeSelector: { 'node-role.kubernetes.io/infra': '' } },
    }),
    new ExampleConfig(configs, 'cluster1-example-config', {
      greeting: 'Hello cluster1',
      intervalSeconds: 30,
    }),
  ],
});

export default app;
