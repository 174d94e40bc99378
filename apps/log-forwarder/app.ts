// Ships the logs of every cluster to the collector of its region. One AddOnTemplate defines the workload of a cluster.
// Each region has an AddOnDeploymentConfig with its settings: a mirror for images in Europe, a proxy in Asia. The
// collectors authenticate clusters by certificates that the hub signs for this add-on only.
import { readFileSync } from 'node:fs';
import {
  AddOnDeploymentConfig,
  AddOnTemplate,
  App,
  Chart,
  ClusterManagementAddOn,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
  Registration,
  Selector,
  Toleration,
} from 'fleetwright';
import { Namespace, Role, RoleBinding, Secret, ServiceAccount } from 'cdk8s-plus-27';
import { forwarder, signerName } from './forwarder.ts';

const app = new App();
const hub = new Chart(app, 'hub', { namespace: 'log-forwarder' });

const namespace = new Namespace(hub, 'namespace', { metadata: { name: 'log-forwarder' } });

// --- Certificate authority ---

// The Secret with the authority's certificate and RSA key is not created here, because keys do not belong in Git.
// The addon-manager signs with it, and needs permission to read it.
const authority = Secret.fromSecretName(hub, 'authority', 'log-forwarder-ca');
const addonManager = ServiceAccount.fromServiceAccountName(
  hub,
  'addon-manager',
  'addon-manager-controller-sa',
  { namespaceName: 'open-cluster-management-hub' },
);
const authorityReader = new Role(hub, 'authority-reader', { metadata: { name: 'log-forwarder-ca-reader' } });
authorityReader.allowGet(authority);
new RoleBinding(hub, 'authority-is-read', {
  metadata: { name: 'log-forwarder-ca-reader' },
  role: authorityReader,
}).addSubjects(addonManager);

// --- Clusters ---

new ManagedClusterSetBinding(hub, 'global', { clusterSet: ManagedClusterSet.global });

const region = 'region.open-cluster-management.io';
const europeanRegions = ['eu-central-1', 'eu-west-1', 'europe-west1', 'westeurope'] as const;
const asianRegions = ['ap-northeast-1', 'ap-south-1'] as const;

/** The clusters whose claims match a selector. An unreachable cluster keeps its add-on. */
function clustersIn(id: string, claims: Selector): Placement {
  return new Placement(hub, id, {
    predicates: [{ claims }],
    tolerations: [Toleration.unreachable(), Toleration.unavailable()],
  });
}
const europe = clustersIn('europe', Selector.in(region, europeanRegions));
const asia = clustersIn('asia', Selector.in(region, asianRegions));
// This includes clusters without a region.
const elsewhere = clustersIn('elsewhere', Selector.notIn(region, [...europeanRegions, ...asianRegions]));

// --- Configuration ---

const template = new AddOnTemplate(hub, 'template', {
  name: 'log-forwarder-0.1.0',
  addonName: 'log-forwarder',
  workload: forwarder,
  // Without a subject the certificate names the cluster and the add-on.
  registration: [
    Registration.customSigner({
      signerName,
      signingCA: { name: authority.name, namespace: namespace.name },
    }),
  ],
});

// Configurations are never merged, so each of them sets all variables.
const anywhere = new AddOnDeploymentConfig(hub, 'anywhere', {
  customizedVariables: { COLLECTOR: 'https://logs.us.example.com', LOG_LEVEL: 'warn' },
});

const inEurope = new AddOnDeploymentConfig(hub, 'in-europe', {
  customizedVariables: { COLLECTOR: 'https://logs.eu.example.com', LOG_LEVEL: 'warn' },
  // docker.io/timberio/vector becomes registry.eu.example.com/timberio/vector.
  registries: [{ source: 'docker.io', mirror: 'registry.eu.example.com' }],
});

const inAsia = new AddOnDeploymentConfig(hub, 'in-asia', {
  customizedVariables: { COLLECTOR: 'https://logs.ap.example.com', LOG_LEVEL: 'warn' },
  proxyConfig: {
    httpProxy: 'http://proxy.ap.example.com:3128',
    httpsProxy: 'http://proxy.ap.example.com:3128',
    // Connections inside the cluster do not use the proxy.
    noProxy: '.svc,.cluster.local,10.0.0.0/8,172.16.0.0/12',
    // The CA of the collector behind the proxy. The hub adds a ConfigMap with it.
    caBundle: readFileSync(new URL('asia-ca.crt', import.meta.url)).toString('base64'),
  },
});

// --- Add-on ---

new ClusterManagementAddOn(hub, 'log-forwarder', {
  displayName: 'Log forwarder',
  description: 'Ships the logs of containers to the collector of the region',
  defaultConfigs: [template, anywhere],
  placements: [
    { placement: elsewhere },
    { placement: europe, configs: [inEurope] },
    { placement: asia, configs: [inAsia] },
  ],
});

export default app;
