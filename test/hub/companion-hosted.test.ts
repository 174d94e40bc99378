import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { connect } from './client/hub.ts';
import { namespaceKind, ocmKinds, reference } from './client/kinds.ts';
import { sharedHub } from './client/shared-hub.ts';
import { addOnCondition } from './companion/add-on-condition.ts';
import { confinedKubeconfig } from './companion/confined-companion.ts';
import { deploymentKind } from './companion/deployed-add-on.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';
import { synthesized } from './companion/synthesized.ts';
import { reportWork, until } from './companion/work-agent.ts';

// An add-on in hosted mode as synth delivers it. The clusters are objects only.
const hub = connect(await sharedHub());
const [edge, host] = ['hosted-edge', 'hosted-host'];
const name = 'hosted-agent';
const patience = { timeout: 60_000, interval: 100 };

const at = (location: string): object => ({
  annotations: { 'addon.open-cluster-management.io/hosted-manifest-location': location },
});
const deployment = {
  ...reference(deploymentKind, name, name),
  metadata: { name, namespace: name, ...at('hosting') },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'agent', image: 'example.com/agent:1' }] },
    },
  },
};
const clusters = [edge, host].map((cluster) => ({
  ...reference(ocmKinds.managedCluster, cluster),
  spec: { hubAcceptsClient: true, leaseDurationSeconds: 3600 },
}));
const app = [
  {
    ...reference(ocmKinds.addOnTemplate, name),
    spec: {
      addonName: name,
      agentSpec: { workload: { manifests: [reference(namespaceKind, name), deployment] } },
      registration: [],
    },
  },
  {
    ...reference(ocmKinds.clusterManagementAddOn, name),
    metadata: { name, annotations: { 'fleetwright.dev/delivery': 'compiled' } },
    spec: {
      supportedConfigs: [
        {
          group: 'addon.open-cluster-management.io',
          resource: 'addontemplates',
          defaultConfig: { name },
        },
      ],
    },
  },
  {
    ...reference(ocmKinds.managedClusterAddOn, name, edge),
    metadata: {
      name,
      namespace: edge,
      annotations: { 'addon.open-cluster-management.io/hosting-cluster-name': host },
    },
    spec: {},
  },
];

let objects: readonly KubernetesObject[] = [];
let companion: RunningCompanion;
beforeAll(async () => {
  objects = await synthesized(app, clusters);
  for (const cluster of clusters) await hub.client.apply(cluster);
  for (const cluster of [edge, host]) await until(() => hub.client.get(...namespaceKind, cluster));
  companion = startCompanion(
    await confinedKubeconfig(hub.client, (await sharedHub()).kubeconfig, 'hosted-companion'),
  );
  for (const object of objects) await hub.client.apply(object);
}, 120_000);
afterAll(async () => {
  await companion.stop();
  for (const object of objects.toReversed()) await hub.client.delete(object);
  for (const cluster of clusters) await hub.client.delete(cluster);
  hub.close();
}, 120_000);

async function condition(type: string): Promise<unknown> {
  const reported = await addOnCondition(hub.client, name, edge, type);
  return reported && `${reported.status} ${reported.reason}: ${reported.message}`;
}

async function work(cluster: string | undefined): Promise<KubernetesObject> {
  const workName = cluster === host ? `addon-${name}-deploy-hosting-${edge}-0` : `addon-${name}-deploy-0`;
  return await until(() => hub.client.get(...ocmKinds.manifestWork, workName, cluster));
}

test('each cluster has its work, and only that of the managed cluster has an owner', async () => {
  await expect
    .poll(async () => (await work(edge)).metadata.ownerReferences?.map(({ kind }) => kind), patience)
    .toEqual(['ManagedClusterAddOn']);
  expect((await work(host)).metadata.ownerReferences).toBeUndefined();
  await expect
    .poll(async () => await condition('HostingClusterValidity'), patience)
    .toBe(`True HostingClusterValid: hosting cluster ${host} is a managed cluster of the hub`);
});

test('the add-on is complete after both clusters have reported', async () => {
  const done = { Applied: 'True', Available: 'True' } as const;
  await reportWork(hub.client, await work(edge), done);
  await expect
    .poll(async () => await condition('Progressing'), patience)
    .toBe(
      'False WaitingForHostingManifestApplied: Waiting for ManagedClusterAddOn HostingManifestApplied condition',
    );
  await reportWork(hub.client, await work(host), done, 0);
  await expect
    .poll(async () => await condition('HostingManifestApplied'), patience)
    .toBe('True AddonManifestApplied: manifests of addon are applied successfully');
  await expect.poll(async () => await condition('Available'), patience).toMatch(/^False ProbeUnavailable/);
  await reportWork(hub.client, await work(host), done, 1);
  await expect
    .poll(async () => await condition('Available'), patience)
    .toBe(`True ProbeAvailable: ${name} add-on is available.`);
  await expect
    .poll(async () => await condition('Progressing'), patience)
    .toBe('False Completed: completed with no errors.');
});

test('a hosting cluster that leaves the hub is reported', async () => {
  await hub.client.delete(reference(ocmKinds.managedCluster, host));
  await expect
    .poll(async () => await condition('HostingClusterValidity'), patience)
    .toBe(`False HostingClusterInvalid: hosting cluster ${host} is not a managed cluster of the hub`);
});
