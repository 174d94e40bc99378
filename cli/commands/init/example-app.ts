/** The name of the app of a new repository, of its add-on and of its namespace. */
export const appName = 'hello';

/** `apps/hello/app.ts`: an add-on that requires nothing but a hub. */
export const exampleApp = `// The add-on "hello": greets from every cluster, and changes production last. Replace it with your own.
import {
  AddOnDeploymentConfig,
  AddOnTemplate,
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
  Variable,
} from 'fleetwright';
import type { Workload } from 'fleetwright';

const app = new App();

// The objects on the hub, in this namespace.
const hub = new Chart(app, 'hub', { namespace: '${appName}' });
new ApiObject(hub, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '${appName}' } });

// All clusters of the hub. A Placement sees only the sets that are bound to its namespace.
new ManagedClusterSetBinding(hub, 'global', { clusterSet: ManagedClusterSet.global });
const dev = DecisionGroup.named('dev', { labels: { env: 'dev' } });
const staging = DecisionGroup.named('staging', { labels: { env: 'staging' } });
const everywhere = new Placement(hub, 'everywhere', {
  // A cluster that is unreachable keeps its add-on. Without these tolerations, the hub would uninstall it there.
  tolerations: [Toleration.unreachable(), Toleration.unavailable()],
  decisionGroups: [dev, staging],
});

// The agent on a cluster. It is immutable: each change is a new object, which the rollout brings to the clusters in waves.
const template = new AddOnTemplate(hub, 'template', {
  name: '${appName}',
  addonName: '${appName}',
  immutable: true,
  workload: greeter,
});

// The settings that can differ per cluster.
const config = new AddOnDeploymentConfig(hub, 'config', {
  name: '${appName}',
  immutable: true,
  customizedVariables: { GREETING: 'Hello' },
});

new ClusterManagementAddOn(hub, 'add-on', {
  name: '${appName}',
  displayName: 'Hello',
  description: 'Greets from every cluster',
  defaultConfigs: [template, config],
  placements: [
    {
      placement: everywhere,
      rollout: Rollout.progressive({
        mandatoryGroups: [dev, staging],
        maxConcurrency: '25%',
        minSuccessTime: Duration.minutes(5),
        progressDeadline: Duration.minutes(10),
      }),
    },
  ],
});

/** The objects that the hub delivers to each cluster. */
function greeter(scope: Workload): void {
  const labels = { app: '${appName}' };
  new ApiObject(scope, 'deployment', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: '${appName}', labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: 'greeter',
              image: 'busybox:1.37',
              command: ['sh', '-c', 'while true; do echo "$GREETING from $CLUSTER"; sleep 60; done'],
              env: [
                { name: 'GREETING', value: Variable.custom('GREETING') },
                { name: 'CLUSTER', value: Variable.clusterName },
              ],
              resources: { requests: { cpu: '5m', memory: '8Mi' }, limits: { memory: '16Mi' } },
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                runAsNonRoot: true,
                runAsUser: 65534,
              },
            },
          ],
        },
      },
    },
  });
}

export default app;
`;

const clusters = [
  { name: 'dev-1', env: 'dev' },
  { name: 'staging-1', env: 'staging' },
  { name: 'prod-1', env: 'prod' },
  { name: 'prod-2', env: 'prod' },
] as const;

/** `apps/hello/fleet.yaml`: four clusters, until the first `fleet pull`. */
export const exampleFleet = `# The clusters that the add-on is compiled for. Replace this file with a snapshot of your own hub:
#   npx fleetwright fleet pull --out apps/${appName}/fleet.yaml
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata:
  name: global
spec:
  clusterSelector:
    selectorType: LabelSelector
    labelSelector: {}
${clusters.map(managedCluster).join('')}`;

function managedCluster({ name, env }: (typeof clusters)[number]): string {
  return `---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata:
  name: ${name}
  labels:
    env: ${env}
spec:
  hubAcceptsClient: true
status:
  conditions:
    - type: ManagedClusterConditionAvailable
      status: 'True'
      reason: ManagedClusterAvailable
      message: Managed cluster is available
      lastTransitionTime: '2026-01-01T00:00:00Z'
`;
}
