// An add-on with compiled delivery: synth writes the works of every shop, so reviewers see them. The companion (fleetwright
// controller hub) runs on the hub, approves the certificates of the beacons and reports their health.
import {
  AddOnDeploymentConfig,
  AddOnTemplate,
  ApiObject,
  App,
  Chart,
  ClusterManagementAddOn,
  DecisionGroup,
  HubPermission,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
  Registration,
  Rollout,
  Selector,
  Toleration,
} from 'fleetwright';
import { beacon } from './beacon.ts';

const app = new App();
const hub = new Chart(app, 'shop-beacon', { namespace: 'shop-beacon' });

new ApiObject(hub, 'namespace', {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'shop-beacon' },
});

// The permissions of a beacon in the namespace of its own shop only: the companion binds the role to the beacon's user.
const priceReader = new ApiObject(hub, 'price-reader', {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'shop-beacon-price-reader' },
  rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
});

// --- Clusters ---

new ManagedClusterSetBinding(hub, 'global', { clusterSet: ManagedClusterSet.global });

// The shop at headquarters gets each change first, before customers see it.
const first = DecisionGroup.named('first', { labels: { shop: 'headquarters' } });

const shops = new Placement(hub, 'shops', {
  predicates: [{ labels: Selector.exists('shop') }],
  tolerations: [Toleration.unreachable(), Toleration.unavailable()],
  decisionGroups: [first],
});

// --- Configuration ---

const template = new AddOnTemplate(hub, 'template', {
  name: 'shop-beacon-1.0.0',
  addonName: 'shop-beacon',
  workload: beacon,
  registration: [Registration.kubeClient({ hubPermissions: [HubPermission.currentCluster(priceReader)] })],
});

const config = new AddOnDeploymentConfig(hub, 'config', {
  agentInstallNamespace: 'shop-beacon',
  customizedVariables: { INTERVAL: '60s' },
});

// --- Add-on ---

const shopBeacon = new ClusterManagementAddOn(hub, 'shop-beacon', {
  displayName: 'Shop beacon',
  description: 'Shows the prices that headquarters set',
  delivery: 'compiled',
  defaultConfigs: [template, config],
  placements: [
    {
      placement: shops,
      // Headquarters first, then two shops at a time. Deadlines, soaks and failures have an effect with hub delivery only.
      rollout: Rollout.progressive({ mandatoryGroups: [first], maxConcurrency: 2 }),
    },
  ],
});

// The shop in Tromsø has a satellite connection.
shopBeacon.forCluster('shop-tromso', {
  configs: [
    new AddOnDeploymentConfig(hub, 'tromso', {
      agentInstallNamespace: 'shop-beacon',
      customizedVariables: { INTERVAL: '15m' },
    }),
  ],
});

export default app;
