// The add-on of OCM's documentation, with all three levels of configuration: defaults, what a placement says,
// and what one cluster says. It has a manager of its own on the hub, written with the addon-framework, which
// deploys the agent. apps/helloworld-template is the same without such a manager.
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

// --- Which clusters ---

const placements = new Chart(app, 'placements', { namespace: 'default' });

// A Placement sees only the sets that are bound to its namespace.
new ManagedClusterSetBinding(placements, 'global', { clusterSet: ManagedClusterSet.global });

const canaryWest = DecisionGroup.named('prod-canary-west', {
  labels: { env: 'prod', canary: 'true' },
  claims: Selector.in(region, ['us-west-1', 'us-west-2']),
});
const canaryEast = DecisionGroup.named('prod-canary-east', {
  labels: { env: 'prod', canary: 'true' },
  claims: Selector.in(region, ['us-east-1', 'us-east-2']),
});

// A cluster that is cut off keeps its add-on: without these, the hub would uninstall it there.
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

// --- What they use ---

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

// --- The add-on ---

const addOn = new Chart(app, 'add-on');

const helloworld = new ClusterManagementAddOn(addOn, 'helloworld', {
  displayName: 'helloworld',
  description: 'Greets from every cluster, as its configuration says',
  defaultConfigs: [defaultDeployConfig, defaultExampleConfig],
  placements: [
    // Configured by the defaults alone, and all at once.
    { placement: others },
    {
      placement: aws,
      // Two of one kind, as in the documentation. Which comes first, hubs up to OCM 1.3 leave to chance.
      configs: [deployConfig, exampleConfig1, exampleConfig2],
      rollout: Rollout.progressive({
        // First the canaries in the west, then those in the east, then a quarter of the others at a time.
        mandatoryGroups: [canaryWest, canaryEast],
        maxConcurrency: '25%',
        minSuccessTime: Duration.minutes(5),
        progressDeadline: Duration.minutes(10),
        // As in the documentation, without effect: beside mandatory groups no cluster may be late.
        maxFailures: 2,
      }),
    },
  ],
});

// cluster1 is selected by placement-aws, but has a deployment config and an example config of its own. These
// two kinds are replaced as wholes: neither example-config-1 nor example-config-2 is left.
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
