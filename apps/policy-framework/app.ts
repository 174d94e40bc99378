// Policies for clusters. Two add-ons work together on each cluster: governance-policy-framework delivers policies and
// reports their compliance to the hub, and config-policy-controller evaluates them. One Placement selects the clusters of
// both add-ons and of the policy below.
//
// `clusteradm install hub-addon --names governance-policy-framework` installs the managers of both, the policy propagator
// and the kinds of policies. This app replaces the ClusterManagementAddOns that it creates.
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

// --- Clusters ---

new ManagedClusterSetBinding(hub, 'global', { clusterSet: ManagedClusterSet.global });
const development = DecisionGroup.named('development', { labels: { env: 'dev' } });
const governed = new Placement(hub, 'governed', {
  predicates: [{ labels: { governed: 'true' } }],
  // The policies also apply to unreachable clusters.
  tolerations: [Toleration.unreachable(), Toleration.unavailable()],
  decisionGroups: [development],
});

// --- Add-ons ---

const onInfrastructure = new AddOnDeploymentConfig(hub, 'on-infrastructure', {
  nodePlacement: {
    nodeSelector: { 'node-role.kubernetes.io/infra': '' },
    tolerations: [{ key: 'node-role.kubernetes.io/infra', operator: 'Exists' }],
  },
});
const strategy = {
  placement: governed,
  configs: [onInfrastructure],
  // A faulty controller shows its faults in development first.
  rollout: Rollout.progressive({
    mandatoryGroups: [development],
    maxConcurrency: '50%',
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

// --- Policy ---

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
