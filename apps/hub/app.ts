// OCM itself, kept in Git like everything else: what the operator makes the hub of, which clusters the hub lets in and which
// sets they are in, and agents in each of the ways in which they run: Default, Singleton and Hosted.
//
// The operators are there before: that of the hub, and that of klusterlets wherever agents run.
import {
  App,
  Chart,
  ClusterManager,
  DeleteOption,
  Klusterlet,
  ManagedCluster,
  ManagedClusterSet,
  ManifestWork,
  Taint,
} from 'fleetwright';

const app = new App();
const hub = new Chart(app, 'hub');

// --- The hub ---

new ClusterManager(hub, 'cluster-manager', {
  // Without this gate there is no addon-manager: add-ons of templates, install strategies and rollouts are its work.
  addOnManagerConfiguration: { featureGates: { AddonManagement: true } },
  workConfiguration: { featureGates: { ManifestWorkReplicaSet: true } },
  registrationConfiguration: {
    // A cluster that registers by this identity is let in by itself. All others wait for `hubAcceptsClient` below.
    autoApproveUsers: ['system:serviceaccount:open-cluster-management:cluster-bootstrap'],
  },
});

// --- The clusters ---

const production = new ManagedClusterSet(hub, 'production');
const branches = new ManagedClusterSet(hub, 'branches');

// A cluster asks to be let in, and stays outside until this is merged.
const frankfurt = new ManagedCluster(hub, 'frankfurt', { hubAcceptsClient: true, clusterSet: production });
new ManagedCluster(hub, 'branch-1', {
  hubAcceptsClient: true,
  clusterSet: branches,
  labels: { site: 'branch' },
});
new ManagedCluster(hub, 'branch-2', {
  hubAcceptsClient: true,
  clusterSet: branches,
  labels: { site: 'branch' },
  // It is set up still: nothing is placed on it.
  taints: [Taint.noSelect('opening')],
});
// Is known, and not let in: it was stolen.
new ManagedCluster(hub, 'branch-3', { hubAcceptsClient: false, clusterSet: branches });

// --- The agents ---

// Default: registration and work agent apart. `clusteradm join` made them, and the hub keeps them from then on as it says
// here. Without the work they stay as they are: taking them away would cut off the cluster.
new ManifestWork(hub, 'klusterlet-of-frankfurt', {
  name: 'klusterlet',
  cluster: frankfurt,
  deleteOption: DeleteOption.orphan(),
  workload: (scope) => {
    new Klusterlet(scope, 'klusterlet', {
      mode: 'Default',
      clusterName: frankfurt.clusterName,
      workConfiguration: { kubeAPIQPS: 100, kubeAPIBurst: 200 },
    });
  },
});

// Singleton: one agent, for the hub has other things to do. It is one of its own clusters.
new ManagedCluster(hub, 'local-cluster', { hubAcceptsClient: true, clusterSet: production });
new Klusterlet(hub, 'klusterlet', { mode: 'Singleton', clusterName: 'local-cluster' });

// Hosted: the cluster has no room for agents, so they run on the hub and reach it by the Secret external-managed-kubeconfig
// in the namespace that is named after the Klusterlet. The Secret is not made here: keys do not belong into Git.
new ManagedCluster(hub, 'appliance', { hubAcceptsClient: true, clusterSet: branches });
new Klusterlet(hub, 'klusterlet-appliance', { mode: 'Hosted', clusterName: 'appliance' });

export default app;
