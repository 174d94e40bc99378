// An add-on with compiled delivery: synth writes the works of every shop, and a reviewer sees them. On the hub runs the
// companion (fleetwright controller hub), which gives the beacons their certificates and says whether they live.
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

// What a beacon may do in the namespace of its own shop, and in no other: the companion binds the role to its user alone.
const priceReader = new ApiObject(hub, 'price-reader', {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'shop-beacon-price-reader' },
  rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
});

// --- Which clusters ---

new ManagedClusterSetBinding(hub, 'global', { clusterSet: ManagedClusterSet.global });

// The shop at headquarters shows what a change does before customers see it.
const first = DecisionGroup.named('first', { labels: { shop: 'headquarters' } });

const shops = new Placement(hub, 'shops', {
  predicates: [{ labels: Selector.exists('shop') }],
  tolerations: [Toleration.unreachable(), Toleration.unavailable()],
  decisionGroups: [first],
});

// --- What they get ---

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

// --- The add-on ---

const shopBeacon = new ClusterManagementAddOn(hub, 'shop-beacon', {
  displayName: 'Shop beacon',
  description: 'Shows the prices that headquarters set',
  delivery: 'compiled',
  defaultConfigs: [template, config],
  placements: [
    {
      placement: shops,
      // Headquarters, then two shops at a time. Deadlines, soaks and failures are for the hub's delivery only.
      rollout: Rollout.progressive({ mandatoryGroups: [first], maxConcurrency: 2 }),
    },
  ],
});

// The shop in Tromsø hangs on a satellite.
shopBeacon.forCluster('shop-tromso', {
  configs: [
    new AddOnDeploymentConfig(hub, 'tromso', {
      agentInstallNamespace: 'shop-beacon',
      customizedVariables: { INTERVAL: '15m' },
    }),
  ],
});

export default app;
