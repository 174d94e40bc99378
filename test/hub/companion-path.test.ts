import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from './client/api-client.ts';
import { connect, type Hub } from './client/hub.ts';
import { namespaceKind, ocmKinds, reference, type KindOf } from './client/kinds.ts';
import { readAccess } from './client/kubeconfig.ts';
import { addOnCondition } from './companion/add-on-condition.ts';
import { confinedKubeconfig } from './companion/confined-companion.ts';
import {
  deployedAddOn,
  deploymentKind,
  everywhere,
  fleetOf,
  kubeClientRegistration,
  reportReady,
} from './companion/deployed-add-on.ts';
import { secretKind } from './companion/fleet.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';
import { clientWith, filesWithCertificate } from './companion/secret-files.ts';
import { synthesized } from './companion/synthesized.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';

// The whole way of an add-on with compiled delivery, with OCM's own agents on a second API server.

const registration = [kubeClientRegistration('hello-reader')];
const app = [
  ...everywhere,
  ...deployedAddOn('hello', { registration }),
  ...deployedAddOn('pulse', { annotations: { 'fleetwright.dev/health': 'lease' }, registration }),
];
const reader = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'hello-reader' },
  rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
};

const patience = { timeout: 120_000, interval: 250 };

let running: RunningHub;
let hub: Hub;
let cluster: ApiClient;
let companion: RunningCompanion;

beforeAll(async () => {
  const objects = await synthesized(app, fleetOf('cluster1'));
  running = await startHub({ managedCluster: 'cluster1' });
  hub = connect(running);
  cluster = new ApiClient(readAccess(running.managedCluster?.kubeconfig ?? ''));
  await hub.client.apply(reader);
  const grants = [{ kind: 'ClusterRole', name: reader.metadata.name }];
  const confined = await confinedKubeconfig(hub.client, running.kubeconfig, 'companion', { grants });
  companion = startCompanion(confined);
  for (const object of objects) await hub.client.apply(object);
}, 240_000);
afterAll(async () => {
  await companion.stop();
  cluster.close();
  hub.close();
  await running.stop();
}, 60_000);

async function condition(name: string, type: string): Promise<unknown> {
  const found = await addOnCondition(hub.client, name, 'cluster1', type);
  return found && [found.status, found.reason, found.message];
}

test.each(['hello', 'pulse'])(
  '%s reaches its cluster, and its agent gets credentials there',
  async (name) => {
    await expect
      .poll(async () => await cluster.get(...deploymentKind, name, name), patience)
      .toMatchObject({ spec: { replicas: 1 } });
    await expect
      .poll(async () => await condition(name, 'RegistrationApplied'), patience)
      .toEqual(['True', 'SetPermissionApplied', 'Registration of the addon agent is configured']);
    await expect
      .poll(async () => await cluster.get(...secretKind, `${name}-hub-kubeconfig`, name), patience)
      .toMatchObject({
        data: { 'tls.crt': expect.any(String) as string, kubeconfig: expect.any(String) as string },
      });
    await expect
      .poll(async () => await condition(name, 'ClusterCertificateRotated'), patience)
      .toEqual([
        'True',
        'ClientCertificateUpdated',
        expect.stringMatching(/^client certificate rotated starting from/),
      ]);
  },
);

test('its agent has exactly the permissions of its template on the hub, in the namespace of its own cluster', async () => {
  await hub.client.apply(reference(namespaceKind, 'cluster10'));
  const files = await filesWithCertificate(cluster, 'hello-hub-kubeconfig', 'hello');
  const agent = clientWith(files, running.kubeconfig);
  const configMaps: KindOf = ['v1', 'ConfigMap'];
  const list =
    (namespace: string, kind = configMaps) =>
    async (): Promise<unknown> =>
      await agent.list(...kind, namespace);
  try {
    await expect.poll(list('cluster1'), patience).toEqual(expect.any(Array));
    await expect(list('cluster10')()).rejects.toThrow('is forbidden');
    await expect(list('default')()).rejects.toThrow('is forbidden');
    await expect(list('cluster1', secretKind)()).rejects.toThrow('is forbidden');
    await expect(agent.create({ ...reference(configMaps, 'mine', 'cluster1'), data: {} })).rejects.toThrow(
      'is forbidden',
    );
  } finally {
    agent.close();
  }
});

test('it is available when its Deployment is, and all is applied then', async () => {
  await expect
    .poll(async () => await condition('hello', 'ManifestApplied'), patience)
    .toEqual(['True', 'AddonManifestApplied', 'manifests of addon are applied successfully']);
  await reportReady(cluster, 'hello', 1);
  await expect
    .poll(async () => await condition('hello', 'Available'), patience)
    .toEqual(['True', 'ProbeAvailable', 'hello add-on is available.']);
  await expect
    .poll(async () => await condition('hello', 'Progressing'), patience)
    .toEqual(['False', 'Completed', 'completed with no errors.']);
  await expect
    .poll(
      async () => (await hub.client.get(...ocmKinds.managedCluster, 'cluster1'))?.metadata.labels,
      patience,
    )
    .toMatchObject({ 'feature.open-cluster-management.io/addon-hello': 'available' });
  await reportReady(cluster, 'hello', 0);
  await expect
    .poll(async () => await condition('hello', 'Available'), patience)
    .toEqual([
      'False',
      'ProbeUnavailable',
      // The API server holds no 0.
      'Probe addon unavailable with err readyReplica is not probed',
    ]);
});

test('everything is deleted with its definition, on the hub and on the cluster', async () => {
  await hub.client.delete(reference(ocmKinds.clusterManagementAddOn, 'hello'));
  await expect
    .poll(async () => await hub.client.get(...ocmKinds.managedClusterAddOn, 'hello', 'cluster1'), patience)
    .toBeUndefined();
  await expect
    .poll(
      async () =>
        await hub.client.list(
          ...ocmKinds.manifestWork,
          'cluster1',
          'open-cluster-management.io/addon-name=hello',
        ),
      patience,
    )
    .toEqual([]);
  await expect
    .poll(async () => await cluster.get(...deploymentKind, 'hello', 'hello'), patience)
    .toBeUndefined();
  await expect
    .poll(
      async () =>
        await hub.client.list(
          'rbac.authorization.k8s.io/v1',
          'RoleBinding',
          undefined,
          'app.kubernetes.io/managed-by=fleetwright-controller,open-cluster-management.io/addon-name=hello',
        ),
      patience,
    )
    .toEqual([]);
  expect(await cluster.get(...deploymentKind, 'pulse', 'pulse')).toBeDefined();
});
