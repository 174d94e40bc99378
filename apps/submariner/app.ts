// One network for the pods and services of several clusters. Submariner connects the clusters of a ManagedClusterSet: its
// broker is in the namespace that is named after the set, and each cluster of the set has its own SubmarinerConfig with the
// settings of its gateways.
//
// There are no placements here. A cluster joins the network when it has the add-on and its configuration, and this app
// creates both by cluster name. submariner-addon brings the manager of the add-on and its kinds.
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
  // The networks of the clusters overlap, so each cluster gets unique global addresses.
  spec: { globalnetEnabled: true },
});

const submariner = new ClusterManagementAddOn(hub, 'submariner', {
  displayName: 'Submariner',
  description: 'One network for the pods and services of a cluster set',
  defaultConfigs: [AddOnConfig.supported(AddOnDeploymentConfig)],
});

interface Gateways {
  /** Number of gateways. With more than one, another takes over if one fails. */
  readonly count: number;
  /** For clusters on AWS, where the add-on creates the nodes. */
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
    // The add-on requires this name.
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
