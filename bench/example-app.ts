import {
  AddOnDeploymentConfig,
  AddOnTemplate,
  ApiObject,
  App,
  Chart,
  ClusterManagementAddOn,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
  Rollout,
  Toleration,
} from 'fleetwright';

const regions = ['us-east-1', 'us-west-2', 'eu-central-1', 'ap-south-1'];
const environments = ['dev', 'stage', 'prod'];

/** Every tenth cluster has a separate configuration for every add-on. */
const overridden = 10;

export function clusterNames(clusters: number): string[] {
  return Array.from({ length: clusters }, (_, index) => `cluster-${String(index).padStart(5, '0')}`);
}

/** Returns a fleet snapshot in JSON: clusters in three environments and four regions, all available. */
export function exampleFleet(clusters: number): string {
  const items = clusterNames(clusters).map((name, index) => ({
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: {
      name,
      labels: {
        env: environments[index % 3],
        region: regions[index % 4],
        'cluster.open-cluster-management.io/clusterset': 'default',
      },
    },
    spec: { hubAcceptsClient: true, leaseDurationSeconds: 60 },
    status: {
      version: { kubernetes: 'v1.33.4' },
      clusterClaims: [
        { name: 'id.k8s.io', value: name },
        { name: 'platform.open-cluster-management.io', value: index % 2 ? 'aws' : 'azure' },
      ],
      capacity: { cpu: '48', memory: '192Gi' },
      allocatable: { cpu: '46800m', memory: '187392Mi' },
      conditions: [
        {
          type: 'ManagedClusterConditionAvailable',
          status: 'True',
          reason: 'ManagedClusterAvailable',
          message: 'Managed cluster is available',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    },
  }));
  const set = {
    apiVersion: 'cluster.open-cluster-management.io/v1beta2',
    kind: 'ManagedClusterSet',
    metadata: { name: 'global' },
    spec: { clusterSelector: { selectorType: 'LabelSelector', labelSelector: {} } },
  };
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [set, ...items] });
}

export interface ExampleOptions {
  /**
   * The number of add-ons with a separate configuration on every tenth cluster.
   * @default - all
   */
  readonly overrides?: number;
  readonly outdir?: string;
}

/**
 * Returns add-ons with a template, defaults, three placements with one configuration each and a progressive rollout.
 * Clusters with a separate configuration have one chart each, as a cdk8s user would write it.
 */
export function exampleApp(
  clusters: number,
  addOns: number,
  { outdir, overrides = addOns }: ExampleOptions = {},
): App {
  const app = new App(outdir === undefined ? {} : { outdir });
  const hub = new Chart(app, 'hub', { namespace: 'add-ons' });
  new ManagedClusterSetBinding(hub, 'global', { clusterSet: ManagedClusterSet.global });
  const tolerations = [Toleration.unreachable(), Toleration.unavailable()];
  const placements = environments.map(
    (env) => new Placement(hub, `placement-${env}`, { predicates: [{ labels: { env } }], tolerations }),
  );
  const charts = clusterNames(clusters)
    .filter((_, index) => index % overridden === 0)
    .map((name) => ({ name, chart: new Chart(app, name, { namespace: 'add-ons' }) }));

  for (let index = 0; index < addOns; index++) {
    const name = `add-on-${index}`;
    const chart = new Chart(app, name, { namespace: 'add-ons' });
    const template = new AddOnTemplate(chart, `${name}-template`, {
      addonName: name,
      workload: (scope) => {
        new ApiObject(scope, 'config', {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name, namespace: 'agents' },
          data: { cluster: '{{CLUSTER_NAME}}', level: '{{LOG_LEVEL}}' },
        });
      },
    });
    const config = (id: string, level: string, scope = chart): AddOnDeploymentConfig =>
      new AddOnDeploymentConfig(scope, id, {
        agentInstallNamespace: '',
        customizedVariables: { LOG_LEVEL: level },
      });
    const addOn = new ClusterManagementAddOn(chart, name, {
      defaultConfigs: [template, config(`${name}-default`, '1')],
      placements: placements.map((placement, rank) => ({
        placement,
        configs: [config(`${name}-placement-${rank}`, String(rank + 2))],
        rollout: Rollout.progressive({ maxConcurrency: '25%' }),
      })),
    });
    for (const [at, { name: cluster, chart: own }] of charts.entries()) {
      if ((at + index) % addOns >= overrides) continue;
      addOn.forCluster(cluster, { configs: [config(`${name}-${cluster}`, '9', own)] });
    }
  }
  return app;
}
