// Rules for what clusters have to look like. Two add-ons work together on each cluster: governance-policy-framework brings
// policies there and tells the hub what came of them, config-policy-controller checks what they demand. One Placement says
// where both run and what the policy below holds for.
//
// The managers of both, the policy propagator and the kinds of policies come with `clusteradm install hub-addon --names
// governance-policy-framework`. This app is in place of the ClusterManagementAddOns that this makes.
import {
  AddOnConfig,
  AddOnDeploymentConfig,
  ApiObject,
  App,
  Chart,
  ClusterManagementAddOn,
  DecisionGroup,
  Duration,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
  Rollout,
  Toleration,
} from 'fleetwright';
import { Namespace } from 'cdk8s-plus-27';

const app = new App();
const hub = new Chart(app, 'hub', { namespace: 'policies' });
new Namespace(hub, 'namespace', { metadata: { name: 'policies' } });

// --- Which clusters ---

new ManagedClusterSetBinding(hub, 'global', { clusterSet: ManagedClusterSet.global });
const development = DecisionGroup.named('development', { labels: { env: 'dev' } });
const governed = new Placement(hub, 'governed', {
  predicates: [{ labels: { governed: 'true' } }],
  // A cluster that is cut off is still governed.
  tolerations: [Toleration.unreachable(), Toleration.unavailable()],
  decisionGroups: [development],
});

// --- The add-ons ---

const onInfrastructure = new AddOnDeploymentConfig(hub, 'on-infrastructure', {
  nodePlacement: {
    nodeSelector: { 'node-role.kubernetes.io/infra': '' },
    tolerations: [{ key: 'node-role.kubernetes.io/infra', operator: 'Exists' }],
  },
});
const strategy = {
  placement: governed,
  configs: [onInfrastructure],
  // A controller that checks wrongly does so in development first.
  rollout: Rollout.progressive({
    mandatoryGroups: [development],
    maxConcurrency: '50%',
    minSuccessTime: Duration.minutes(10),
    progressDeadline: Duration.minutes(30),
  }),
};
const defaultConfigs = [AddOnConfig.supported(AddOnDeploymentConfig)];

new ClusterManagementAddOn(hub, 'governance-policy-framework', {
  displayName: 'Policy framework',
  description: 'Brings policies to the cluster, and what came of them back',
  defaultConfigs,
  placements: [strategy],
});
new ClusterManagementAddOn(hub, 'config-policy-controller', {
  displayName: 'Configuration policies',
  description: 'Checks what policies demand, and puts it right where it may',
  defaultConfigs,
  placements: [strategy],
});

// --- A policy ---

const group = 'policy.open-cluster-management.io';
const quotas = new ApiObject(hub, 'quotas', {
  apiVersion: `${group}/v1`,
  kind: 'Policy',
  metadata: { name: 'quotas' },
  spec: {
    disabled: false,
    remediationAction: 'inform',
    'policy-templates': [
      {
        objectDefinition: {
          apiVersion: `${group}/v1`,
          kind: 'ConfigurationPolicy',
          metadata: { name: 'quotas' },
          spec: {
            severity: 'medium',
            namespaceSelector: { include: ['team-*'] },
            'object-templates': [
              {
                complianceType: 'musthave',
                objectDefinition: {
                  apiVersion: 'v1',
                  kind: 'ResourceQuota',
                  metadata: { name: 'team' },
                  spec: { hard: { 'requests.cpu': '20', 'requests.memory': '64Gi' } },
                },
              },
            ],
          },
        },
      },
    ],
  },
});
new ApiObject(hub, 'quotas-are-governed', {
  apiVersion: `${group}/v1`,
  kind: 'PlacementBinding',
  metadata: { name: 'quotas' },
  placementRef: {
    apiGroup: 'cluster.open-cluster-management.io',
    kind: 'Placement',
    name: governed.placementReference.name,
  },
  subjects: [{ apiGroup: group, kind: quotas.kind, name: quotas.name }],
});

export default app;
