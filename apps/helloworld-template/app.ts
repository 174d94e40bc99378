// The add-on of apps/helloworld as an AddOnTemplate: the hub's addon-manager deploys the agent, so the add-on
// needs no manager. Such an add-on has only two kinds of configuration, templates and deployment configs.
// Variables of the deployment configs replace the ExampleConfigs of apps/helloworld.
import {
  AddOnDeploymentConfig,
  AddOnTemplate,
  ApiObject,
  App,
  Chart,
  ClusterManagementAddOn,
  DecisionGroup,
  Duration,
  HubPermission,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
  Registration,
  Rollout,
  Selector,
  Toleration,
} from 'fleetwright';
import { agent, agentNamespace } from './agent.ts';

const platform = 'platform.open-cluster-management.io';
const region = 'region.open-cluster-management.io';

const app = new App();

// --- Hub ---

const hub = new Chart(app, 'hub', { namespace: 'helloworld-template' });

new ApiObject(hub, 'namespace', {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'helloworld-template' },
});

// The permissions of agents in the namespace of their cluster. The addon-manager binds this role to them, so
// Kubernetes requires that it has the same permissions.
const agentRole = new ApiObject(hub, 'agent-role', {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'helloworld-template-agent' },
  rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
});
new ApiObject(hub, 'agent-role-of-addon-manager', {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'helloworld-template-addon-manager' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: agentRole.kind, name: agentRole.name },
  subjects: [
    { kind: 'ServiceAccount', name: 'addon-manager-controller-sa', namespace: 'open-cluster-management-hub' },
  ],
});

// --- Clusters ---

// A Placement sees only the sets that are bound to its namespace.
new ManagedClusterSetBinding(hub, 'default', { clusterSet: ManagedClusterSet.default });

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

const aws = new Placement(hub, 'placement-aws', {
  predicates: [{ claims: { [platform]: 'aws' } }],
  tolerations,
  decisionGroups: [canaryWest, canaryEast],
});

const others = new Placement(hub, 'placement-others', {
  predicates: [{ claims: Selector.notIn(platform, ['aws']) }],
  tolerations,
});

// --- Configuration ---

// The name contains a version: a new version is a new object, and a rollout brings it to the clusters in waves.
// A template that is edited in place may be rendered on clusters before their wave.
const template = new AddOnTemplate(hub, 'template', {
  name: 'helloworld-template-0.1.0',
  addonName: 'helloworld-template',
  // Not OCM's default namespace, so every deployment config below must set agentInstallNamespace.
  workloadNamespace: agentNamespace,
  workload: agent,
  registration: [Registration.kubeClient({ hubPermissions: [HubPermission.currentCluster(agentRole)] })],
});

const defaultDeployConfig = new AddOnDeploymentConfig(hub, 'default-deploy-config', {
  // Leaves the objects in the namespace of the template. Without it, the hub would use the default
  // open-cluster-management-agent-addon and move the agent there.
  agentInstallNamespace: '',
  customizedVariables: { GREETING: 'Hello world', LOG_LEVEL: '2' },
});

const deployConfig = new AddOnDeploymentConfig(hub, 'deploy-config', {
  agentInstallNamespace: '',
  customizedVariables: { GREETING: 'Hello AWS', LOG_LEVEL: '4' },
  registries: [{ source: 'quay.io/open-cluster-management', mirror: 'registry.example.com/ocm' }],
});

// --- Add-on ---

const helloworld = new ClusterManagementAddOn(hub, 'helloworld-template', {
  displayName: 'helloworld by template',
  description: 'Greets from every cluster, as its configuration says',
  defaultConfigs: [template, defaultDeployConfig],
  placements: [
    // These clusters use the defaults, and change all at once.
    { placement: others },
    {
      placement: aws,
      configs: [deployConfig],
      rollout: Rollout.progressive({
        // First the canaries in the west, then those in the east, then a quarter of the others at a time.
        mandatoryGroups: [canaryWest, canaryEast],
        maxConcurrency: '25%',
        // No maxFailures: with mandatory groups, a cluster that times out stops the rollout anyway.
        progressDeadline: Duration.minutes(10),
      }),
    },
  ],
});

// cluster1 has its own deployment config, which replaces deploy-config as a whole: a variable that it does not
// set is empty there, and it must set its own mirrors.
helloworld.forCluster('cluster1', {
  configs: [
    new AddOnDeploymentConfig(hub, 'cluster1-deploy-config', {
      // Moves the agent, and the Namespace of the template, to another namespace.
      agentInstallNamespace: 'helloworld-cluster1',
      customizedVariables: { GREETING: 'Hello cluster1', LOG_LEVEL: '6' },
      // Tolerations take effect only with a node selector, which may be empty.
      nodePlacement: {
        nodeSelector: { 'node-role.kubernetes.io/infra': '' },
        tolerations: [{ key: 'node-role.kubernetes.io/infra', operator: 'Exists', effect: 'NoSchedule' }],
      },
      resourceRequirements: [
        {
          containerID: 'deployments:helloworld-agent:agent',
          resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '128Mi' } },
        },
      ],
    }),
  ],
});

export default app;
