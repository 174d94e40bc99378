import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hubVersion } from '../../compiler/hub-version.ts';
import type { KubernetesObject } from '../../schemas/object-meta.ts';
import { emittedOf } from './apply/emitted.ts';
import { ApiClient } from './client/api-client.ts';
import { connect, type Hub } from './client/hub.ts';
import { namespaceKind, ocmKinds, reference, type KindOf } from './client/kinds.ts';
import { readAccess } from './client/kubeconfig.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';

// The whole way of an add-on with compiled delivery, with OCM's own agents on a second API server.

const addOnYaml = (name: string, annotations: object) =>
  [
    {
      apiVersion: 'addon.open-cluster-management.io/v1alpha1',
      kind: 'AddOnTemplate',
      metadata: { name: `${name}-1` },
      spec: {
        addonName: name,
        agentSpec: {
          workload: {
            manifests: [
              { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
              {
                apiVersion: 'apps/v1',
                kind: 'Deployment',
                metadata: { name, namespace: name },
                spec: {
                  replicas: 1,
                  selector: { matchLabels: { app: name } },
                  template: {
                    metadata: { labels: { app: name } },
                    spec: { containers: [{ name: 'agent', image: 'example.com/agent:1' }] },
                  },
                },
              },
            ],
          },
        },
        registration: [
          {
            type: 'KubeClient',
            kubeClient: {
              hubPermissions: [
                { type: 'CurrentCluster', currentCluster: { clusterRoleName: 'hello-reader' } },
              ],
            },
          },
        ],
      },
    },
    {
      apiVersion: 'addon.open-cluster-management.io/v1alpha1',
      kind: 'ClusterManagementAddOn',
      metadata: { name, annotations: { 'fleetwright.dev/delivery': 'compiled', ...annotations } },
      spec: {
        supportedConfigs: [
          {
            group: 'addon.open-cluster-management.io',
            resource: 'addontemplates',
            defaultConfig: { name: `${name}-1` },
          },
        ],
        installStrategy: { type: 'Placements', placements: [{ name: 'all', namespace: 'add-ons' }] },
      },
    },
  ] as const;

const app = [
  reference(namespaceKind, 'add-ons'),
  {
    ...reference(ocmKinds.managedClusterSetBinding, 'global', 'add-ons'),
    spec: { clusterSet: 'global' },
  },
  {
    ...reference(ocmKinds.placement, 'all', 'add-ons'),
    spec: {
      clusterSets: ['global'],
      tolerations: ['unreachable', 'unavailable'].map((taint) => ({
        key: `cluster.open-cluster-management.io/${taint}`,
        operator: 'Exists',
      })),
    },
  },
  ...addOnYaml('hello', {}),
  ...addOnYaml('pulse', { 'fleetwright.dev/health': 'lease' }),
];
const fleet = [
  {
    ...reference(ocmKinds.managedClusterSet, 'global'),
    spec: { clusterSelector: { selectorType: 'LabelSelector', labelSelector: {} } },
  },
  { ...reference(ocmKinds.managedCluster, 'cluster1'), spec: { hubAcceptsClient: true } },
];
const reader = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'hello-reader' },
  rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
};

const deploymentKind: KindOf = ['apps/v1', 'Deployment'];
const leaseKind: KindOf = ['coordination.k8s.io/v1', 'Lease'];
const secretKind: KindOf = ['v1', 'Secret'];
const patience = { timeout: 60_000, interval: 250 };

let folder: string;
let running: RunningHub;
let hub: Hub;
let cluster: ApiClient;
let companion: RunningCompanion;
let objects: readonly KubernetesObject[];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'companion-'));
  const write = (name: string, items: readonly object[]): string => {
    const file = path.join(folder, name);
    writeFileSync(file, items.map((item) => JSON.stringify(item)).join('\n---\n'));
    return file;
  };
  const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;
  ({ objects } = await emittedOf(write('app.yaml', app), [write('fleet.yaml', fleet)], target));
  running = await startHub({ managedCluster: 'cluster1' });
  hub = connect(running);
  cluster = new ApiClient(readAccess(running.managedCluster?.kubeconfig ?? ''));
  companion = startCompanion(running.kubeconfig);
  await hub.client.apply(reader);
  for (const object of objects) await hub.client.apply(object);
}, 120_000);
afterAll(async () => {
  await companion.stop();
  cluster.close();
  hub.close();
  await running.stop();
  rmSync(folder, { recursive: true });
}, 60_000);

async function condition(name: string, type: string): Promise<unknown> {
  const object = await hub.client.get(...ocmKinds.managedClusterAddOn, name, 'cluster1');
  const { conditions = [] } = (object?.['status'] ?? {}) as {
    readonly conditions?: readonly Readonly<Record<string, string>>[];
  };
  const found = conditions.find((each) => each['type'] === type);
  return found && [found['status'], found['reason'], found['message']];
}

async function reportReady(name: string, readyReplicas: number): Promise<void> {
  const deployment = reference(deploymentKind, name, name);
  const status = { replicas: 1, updatedReplicas: 1, readyReplicas, availableReplicas: readyReplicas };
  const available = {
    type: 'Available',
    status: readyReplicas > 0 ? 'True' : 'False',
    reason: 'Told',
    message: 'told',
  };
  await cluster.merge(deployment, { status: { ...status, conditions: [available] } }, 'status');
}

/** A client with the credentials that the add-on's agent finds on the cluster. */
async function asAgent(name: string): Promise<ApiClient> {
  const secret = await cluster.get(...secretKind, `${name}-hub-kubeconfig`, name);
  const data = secret?.['data'] as Readonly<Record<string, string>>;
  const text = (field: string): string => Buffer.from(data[field] ?? '', 'base64').toString();
  const { server, ca } = readAccess(running.kubeconfig);
  return new ApiClient({ server, ca, certificate: text('tls.crt'), key: text('tls.key') });
}

test.each(['hello', 'pulse'])('%s comes to its cluster, and its agent to credentials there', async (name) => {
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
});

test('its agent may do on the hub what its template says, in the namespace of its own cluster, and nothing else', async () => {
  await hub.client.apply(reference(namespaceKind, 'cluster10'));
  const agent = await asAgent('hello');
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
  await reportReady('hello', 1);
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
  await reportReady('hello', 0);
  await expect
    .poll(async () => await condition('hello', 'Available'), patience)
    .toEqual([
      'False',
      'ProbeUnavailable',
      // The API server holds no 0.
      'Probe addon unavailable with err readyReplica is not probed',
    ]);
});

test('with a lease it is available while its agent renews that', async () => {
  const lease = (renewed: number): KubernetesObject => ({
    ...reference(leaseKind, 'pulse', 'pulse'),
    spec: {
      holderIdentity: 'pulse',
      leaseDurationSeconds: 60,
      renewTime: new Date(renewed).toISOString().replace('Z', '000Z'),
    },
  });
  await cluster.apply(lease(Date.now()));
  await expect
    .poll(async () => await condition('pulse', 'Available'), patience)
    .toEqual(['True', 'ManagedClusterAddOnLeaseUpdated', 'pulse add-on is available.']);
  await cluster.apply(lease(Date.now() - 310_000));
  await expect
    .poll(async () => await condition('pulse', 'Available'), patience)
    .toEqual(['False', 'ManagedClusterAddOnLeaseUpdateStopped', 'pulse add-on is not available.']);
});

test('everything goes with its definition, on the hub and on the cluster', async () => {
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
