// One network for the pods and services of several clusters. Submariner knows which clusters belong together by their
// ManagedClusterSet: its broker lives in the namespace that is named after the set, and each cluster of the set says in a
// SubmarinerConfig of its own how its gateways are made.
//
// There are no placements here: a cluster belongs to the network when it has the add-on and its configuration, and both are
// written for it by name. The add-on's own manager and its kinds come with submariner-addon.
import {
  AddOnConfig,
  AddOnDeploymentConfig,
  ApiObject,
  App,
  Chart,
  ClusterManagementAddOn,
  ManagedClusterSet,
} from 'fleetwright';
import { Namespace } from 'cdk8s-plus-27';

const app = new App();
const hub = new Chart(app, 'hub');

const set = new ManagedClusterSet(hub, 'trading');
const brokerNamespace = new Namespace(hub, 'broker-namespace', {
  metadata: { name: `${set.clusterSetName}-broker` },
});
new ApiObject(hub, 'broker', {
  apiVersion: 'submariner.io/v1alpha1',
  kind: 'Broker',
  metadata: { name: 'submariner-broker', namespace: brokerNamespace.name },
  // The networks of the clusters overlap: each gets addresses that the others do not have.
  spec: { globalnetEnabled: true },
});

const submariner = new ClusterManagementAddOn(hub, 'submariner', {
  displayName: 'Submariner',
  description: 'One network for the pods and services of a cluster set',
  defaultConfigs: [AddOnConfig.supported(AddOnDeploymentConfig)],
});

interface Gateways {
  /** More than one, and another takes over where one fails. */
  readonly count: number;
  /** For clusters on AWS, where the add-on makes the nodes. */
  readonly instanceType?: string;
}

/** The clusters of the network, with their gateways. */
const gateways: Readonly<Record<string, Gateways>> = {
  'trading-london': { count: 2 },
  'trading-tokyo': { count: 2 },
  'trading-virginia': { count: 1, instanceType: 'm5n.large' },
};

for (const [cluster, { count, instanceType }] of Object.entries(gateways)) {
  submariner.forCluster(cluster, { installNamespace: 'submariner-operator' });
  new ApiObject(hub, `gateways-of-${cluster}`, {
    apiVersion: 'submarineraddon.open-cluster-management.io/v1alpha1',
    kind: 'SubmarinerConfig',
    // The add-on looks for this name.
    metadata: { name: 'submariner', namespace: cluster },
    spec: {
      cableDriver: 'libreswan',
      NATTEnable: true,
      IPSecNATTPort: 4500,
      gatewayConfig: { gateways: count, ...(instanceType !== undefined && { aws: { instanceType } }) },
    },
  });
}

export default app;
