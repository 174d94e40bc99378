// OCM itself, in Git like everything else: the configuration of the hub, the clusters that the hub accepts with their sets,
// and agents in each mode: Default, Singleton and Hosted.
//
// The operators must be installed first: the one of the hub, and the one of klusterlets wherever agents run.
import {
  App,
  Chart,
  ClusterManager,
  DeleteOption,
  Klusterlet,
  ManagedCluster,
  ManagedClusterSet,
  ManifestWork,
} from 'fleetwright';
import { ApiResource, ClusterRole } from 'cdk8s-plus-27';

const app = new App();
const hub = new Chart(app, 'hub');

// --- Hub ---

new ClusterManager(hub, 'cluster-manager', {
  // Without this gate there is no addon-manager, which handles template add-ons, install strategies and rollouts.
  addOnManagerConfiguration: { featureGates: { AddonManagement: true } },
  workConfiguration: { featureGates: { ManifestWorkReplicaSet: true } },
  registrationConfiguration: {
    // A cluster that registers with this identity is accepted automatically. All others wait for `hubAcceptsClient` below.
    autoApproveUsers: ['system:serviceaccount:open-cluster-management:cluster-bootstrap'],
  },
});

// --- Clusters ---

const production = new ManagedClusterSet(hub, 'production');
const branches = new ManagedClusterSet(hub, 'branches');

// A cluster requests to join, and is accepted when this is merged.
const frankfurt = new ManagedCluster(hub, 'frankfurt', { hubAcceptsClient: true, clusterSet: production });
new ManagedCluster(hub, 'branch-1', {
  hubAcceptsClient: true,
  clusterSet: branches,
  labels: { site: 'branch' },
});
// It is still being set up, so it is not in the set yet, and placements for branches do not select it. (The hub's webhook rejects a
// taint in Git when it is applied again.)
new ManagedCluster(hub, 'branch-2', { hubAcceptsClient: true, labels: { site: 'branch' } });
// Registered but not accepted: this cluster was stolen. The annotation is for hubs with ManagedClusterAutoApproval, which accept
// every new cluster that does not have it.
new ManagedCluster(hub, 'branch-3', {
  hubAcceptsClient: false,
  clusterSet: branches,
  annotations: { 'open-cluster-management.io/automatically-accepted-on': 'never' },
});

// --- Agents ---

// Default: separate registration and work agents. `clusteradm join` created them, and this work keeps them up to date. When
// the work is deleted, the agents stay: deleting them would disconnect the cluster.
new ManifestWork(hub, 'klusterlet-of-frankfurt', {
  name: 'klusterlet',
  cluster: frankfurt,
  deleteOption: DeleteOption.orphan(),
  workload: (scope) => {
    // The work agent has no permission for Klusterlets. It gets the rules of ClusterRoles with this label.
    const updater = new ClusterRole(scope, 'klusterlet-updater', {
      metadata: { labels: { 'open-cluster-management.io/aggregate-to-work': 'true' } },
    });
    const klusterlets = ApiResource.custom({
      apiGroup: 'operator.open-cluster-management.io',
      resourceType: 'klusterlets',
    });
    updater.allow(['get', 'create', 'update'], klusterlets);
    new Klusterlet(scope, 'klusterlet', {
      mode: 'Default',
      clusterName: frankfurt.clusterName,
      workConfiguration: { kubeAPIQPS: 100, kubeAPIBurst: 200 },
    });
  },
});

// Singleton: one agent, to save resources. The hub is one of its own clusters.
new ManagedCluster(hub, 'local-cluster', { hubAcceptsClient: true, clusterSet: production });
new Klusterlet(hub, 'klusterlet', { mode: 'Singleton', clusterName: 'local-cluster' });

// Hosted: the cluster has no room for agents, so they run on the hub. They connect with the Secret external-managed-kubeconfig
// in the namespace that is named after the Klusterlet. The Secret is not created here, because keys do not belong in Git.
new ManagedCluster(hub, 'appliance', { hubAcceptsClient: true, clusterSet: branches });
new Klusterlet(hub, 'klusterlet-appliance', { mode: 'Hosted', clusterName: 'appliance' });

export default app;
