// Creates identities on the clusters for services on the hub. A ManagedServiceAccount in the namespace of a cluster becomes
// a ServiceAccount on the cluster, and its token is returned to the hub as a Secret and rotated. Its permissions are defined
// on the cluster.
//
// The Helm chart of the add-on installs its manager. This app replaces the chart's ClusterManagementAddOn.
import {
  AddOnDeploymentConfig,
  ApiObject,
  App,
  Chart,
  ClusterManagementAddOn,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
  Toleration,
} from 'fleetwright';
import { Namespace } from 'cdk8s-plus-27';

const app = new App();
const hub = new Chart(app, 'hub', { namespace: 'managed-serviceaccount' });
new Namespace(hub, 'namespace', { metadata: { name: 'managed-serviceaccount' } });

new ManagedClusterSetBinding(hub, 'global', { clusterSet: ManagedClusterSet.global });
// An unreachable cluster keeps its identities.
const tolerations = [Toleration.unreachable(), Toleration.unavailable()];
const everywhere = new Placement(hub, 'everywhere', { tolerations });
const restricted = new Placement(hub, 'restricted', {
  predicates: [{ labels: { network: 'restricted' } }],
  tolerations,
});

const standard = new AddOnDeploymentConfig(hub, 'standard', {
  nodePlacement: { nodeSelector: { 'kubernetes.io/os': 'linux' } },
});
/** Clusters without access to quay.io pull the image from a mirror. Everything else is as on the others. */
const mirrored = new AddOnDeploymentConfig(hub, 'mirrored', {
  nodePlacement: { nodeSelector: { 'kubernetes.io/os': 'linux' } },
  registries: [{ source: 'quay.io/open-cluster-management', mirror: 'registry.example.com/ocm' }],
});

new ClusterManagementAddOn(hub, 'managed-serviceaccount', {
  displayName: 'managed-serviceaccount',
  description: 'Identities on the clusters for services of the hub',
  defaultConfigs: [standard],
  placements: [{ placement: everywhere }, { placement: restricted, configs: [mirrored] }],
});

// --- Identities ---

/** The clusters where a service of the hub has an identity, by the name of the identity. */
const identities = {
  'backup-controller': ['cluster5', 'cluster6', 'trading-london'],
  'cost-reporter': ['cluster5'],
} as const;

for (const [name, clusters] of Object.entries(identities)) {
  for (const cluster of clusters) {
    new ApiObject(hub, `${name}-on-${cluster}`, {
      apiVersion: 'authentication.open-cluster-management.io/v1beta1',
      kind: 'ManagedServiceAccount',
      metadata: { name, namespace: cluster },
      // A token is valid for 30 days, and renewed before it expires.
      spec: { rotation: { enabled: true, validity: '720h0m0s' } },
    });
  }
}

export default app;
