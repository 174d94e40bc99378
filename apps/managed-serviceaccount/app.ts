// Gives services on the hub an identity on the clusters: a ManagedServiceAccount in the namespace of a cluster becomes a
// ServiceAccount there, and its token comes back as a Secret, renewed in time. Which permissions it has is the cluster's
// to say.
//
// The add-on's own manager comes with its Helm chart. This app is in place of the chart's ClusterManagementAddOn.
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
// A cluster that is cut off keeps its identities.
const tolerations = [Toleration.unreachable(), Toleration.unavailable()];
const everywhere = new Placement(hub, 'everywhere', { tolerations });
const restricted = new Placement(hub, 'restricted', {
  predicates: [{ labels: { network: 'restricted' } }],
  tolerations,
});

const standard = new AddOnDeploymentConfig(hub, 'standard', {
  nodePlacement: { nodeSelector: { 'kubernetes.io/os': 'linux' } },
});
/** Clusters without a way to quay.io have the image from a mirror, and everything else as the others. */
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

// --- Who is known where ---

/** The clusters on which a service of the hub is known, and by which name. */
const identities = {
  'backup-controller': ['frankfurt', 'dublin', 'vault'],
  'cost-reporter': ['frankfurt'],
} as const;

for (const [name, clusters] of Object.entries(identities)) {
  for (const cluster of clusters) {
    new ApiObject(hub, `${name}-on-${cluster}`, {
      apiVersion: 'authentication.open-cluster-management.io/v1beta1',
      kind: 'ManagedServiceAccount',
      metadata: { name, namespace: cluster },
      // A token is good for 30 days, and renewed before they are over.
      spec: { rotation: { enabled: true, validity: '720h0m0s' } },
    });
  }
}

export default app;
