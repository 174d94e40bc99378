// The add-on "my-add-on": greets from every cluster, and changes production last. Replace it with your own.
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
const hub = new Chart(app, 'hub', { namespace: 'my-add-on' });
new ApiObject(hub, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'my-add-on' } });

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
  name: 'my-add-on',
  addonName: 'my-add-on',
  immutable: true,
  workload: greeter,
});

// The settings that can differ per cluster.
const config = new AddOnDeploymentConfig(hub, 'config', {
  name: 'my-add-on',
  immutable: true,
  customizedVariables: { GREETING: 'Hello' },
});

new ClusterManagementAddOn(hub, 'add-on', {
  name: 'my-add-on',
  displayName: 'My add on',
  description: 'Greets from every cluster',
  defaultConfigs: [template, config],
  placements: [
    {
      placement: everywhere,
      // Each wave waits until the works of the one before are applied. For one that waits for healthy workloads and for a
      // time, write Rollout.promoted: https://github.com/fleetwright/fleetwright/blob/main/docs/promotion.md
      rollout: Rollout.progressive({
        mandatoryGroups: [dev, staging],
        maxConcurrency: '25%',
        progressDeadline: Duration.minutes(10),
      }),
    },
  ],
});

/** The objects that the hub delivers to each cluster. */
function greeter(scope: Workload): void {
  const labels = { app: 'my-add-on' };
  new ApiObject(scope, 'deployment', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'my-add-on', labels },
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
