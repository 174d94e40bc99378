// Istio on several clusters, and the meshes joined so that services call each other. The add-on's own manager installs its
// agents on every cluster by itself, so there are neither placements nor ManagedClusterAddOns here: the ClusterManagementAddOn
// says so by its lifecycle. What is configured are meshes, by the manager's own kinds, and one list of clusters gives both.
import { ApiObject, App, Chart, ClusterManagementAddOn } from 'fleetwright';
import { Namespace } from 'cdk8s-plus-27';

const app = new App();
const hub = new Chart(app, 'hub', { namespace: 'mesh' });
new Namespace(hub, 'namespace', { metadata: { name: 'mesh' } });

new ClusterManagementAddOn(hub, 'multicluster-mesh', {
  displayName: 'Multicluster mesh',
  description: 'Finds, installs and joins service meshes',
  lifecycle: 'self',
});

/** The clusters that share their services. */
const clusters = ['shop-east', 'shop-west'];
const group = 'mesh.open-cluster-management.io';

const istio = new ApiObject(hub, 'istio', {
  apiVersion: `${group}/v1alpha1`,
  kind: 'MeshDeployment',
  metadata: { name: 'istio' },
  spec: {
    clusters,
    meshProvider: 'Upstream Istio',
    controlPlane: {
      namespace: 'istio-system',
      profiles: ['default'],
      components: ['base', 'istiod', 'istio-ingress'],
      version: '1.13.2',
    },
    // The namespaces that belong to the mesh.
    meshMemberRoll: ['shop'],
  },
});

new ApiObject(hub, 'shops', {
  apiVersion: `${group}/v1alpha1`,
  kind: 'MeshFederation',
  metadata: { name: 'shops' },
  spec: {
    // The manager names the Mesh of a cluster after both.
    meshPeers: [{ peers: clusters.map((cluster) => ({ cluster, name: `${cluster}-${istio.name}` })) }],
    trustConfig: { trustType: 'Complete' },
  },
});

export default app;
