// Istio on several clusters, with meshes that are joined so that services can call each other. The add-on's own manager
// installs its agents on every cluster, so there are neither placements nor ManagedClusterAddOns here. The lifecycle of the
// ClusterManagementAddOn declares this. One list of clusters defines the mesh and the federation, two kinds of the manager.
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
const clusters = ['shop-berlin', 'shop-lyon'];
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
    // The namespaces in the mesh.
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
