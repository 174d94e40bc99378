import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { roleBindings } from '../../../src/controller/hub/registration/role-binding.ts';
import { managedClusterAddOns } from '../../../src/controller/add-on/managed-cluster-add-ons.ts';
import {
  addOnTemplates,
  clusterManagementAddOns,
  managedClusters,
  manifestWorks,
} from '../../../src/controller/hub/resources.ts';
import type { ApiClient } from '../../../src/client/api-client.ts';
import { answerJson, FakeApiServer, refuse } from '../api-server.ts';
import { runAddOnController } from './running-add-on-controller.ts';
import { storedAddOn, storedCluster, storedOnCluster, storedWork, template } from './stored-add-ons.ts';

const time = '2026-01-31T12:00:00Z';
const statusPath =
  '/apis/addon.open-cluster-management.io/v1alpha1/namespaces/cluster1/managedclusteraddons/hello/status';
const patience = { timeout: 60_000, interval: 20 };
const hello = { name: 'hello' };
const onCluster1 = { name: 'hello', namespace: 'cluster1' };
const compiled = {
  'addon.open-cluster-management.io/lifecycle': 'self',
  'fleetwright.dev/delivery': 'compiled',
  'fleetwright.dev/default-template': 'hello-1',
};
const inCentral = {
  type: 'KubeClient',
  kubeClient: {
    hubPermissions: [
      {
        type: 'SingleNamespace',
        singleNamespace: {
          namespace: 'central',
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
        },
      },
    ],
  },
} as const;

let server: FakeApiServer;
let client: ApiClient;
let end: AbortController;
let running: Promise<unknown> = Promise.resolve();

beforeEach(async () => {
  server = await FakeApiServer.start();
  client = server.client();
  end = new AbortController();
  await client.create(managedClusters, storedCluster());
  await client.create(addOnTemplates, template([inCentral]));
  await client.create(clusterManagementAddOns, storedAddOn({}, compiled));
  await client.create(managedClusterAddOns, storedOnCluster());
});

afterEach(async () => {
  end.abort();
  await running;
  await server.stop();
});

async function run(): Promise<void> {
  ({ ended: running } = await runAddOnController(client, {}, end.signal));
}

const bindings = async (): Promise<readonly string[]> =>
  (await client.list(roleBindings)).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
const bound = ['central/fleetwright:hello:cluster1:role:reader'];
const untilRegistered = async (): Promise<void> => {
  await expect
    .poll(async () => (await client.get(managedClusterAddOns, onCluster1))?.status?.registrations, patience)
    .toHaveLength(1);
  await expect.poll(bindings, patience).toEqual(bound);
};
const nobodyAccepts = async (): Promise<unknown> =>
  await client.merge(managedClusters, { name: 'cluster1' }, { spec: { hubAcceptsClient: false } });
const configured = (group: string, resource: string): object => ({
  spec: { configs: [{ group, resource, namespace: 'cluster1', name: 'own' }] },
});

/** The kind is served, but the controller lacks the permission to list it. */
function nobodyListsNodes(): void {
  server.intercept = ({ url = '' }, response) => {
    if (url === '/api/v1') answerJson(response, 200, { resources: [{ name: 'nodes', kind: 'Node' }] });
    else if (url.startsWith('/api/v1/nodes')) refuse(response, 403, 'Forbidden', 'you may not list nodes');
    else return false;
    return true;
  };
}

describe('the permissions of an agent go when the hub no longer accepts its cluster', () => {
  test.each([
    ['as always', async () => await Promise.resolve()],
    ['where the template is gone', async () => await client.delete(addOnTemplates, { name: 'hello-1' })],
    [
      'where a configuration cannot be listed',
      async () => {
        nobodyListsNodes();
        await client.merge(managedClusterAddOns, onCluster1, configured('', 'nodes'));
      },
    ],
    [
      'where a deployment configuration is not there',
      async () =>
        await client.merge(
          managedClusterAddOns,
          onCluster1,
          configured('addon.open-cluster-management.io', 'addondeploymentconfigs'),
        ),
    ],
    [
      'where the add-on waits to be deleted',
      async () =>
        await client.merge(managedClusterAddOns, onCluster1, {
          metadata: { deletionTimestamp: '2026-01-31T12:00:00Z' },
        }),
    ],
    [
      'where a work of the add-on takes no owner',
      async () => {
        server.intercept = ({ method, url = '' }, response) => {
          if (method !== 'PATCH' || !url.includes('/manifestworks/')) return false;
          refuse(response, 422, 'Invalid', 'only one owner may control');
          return true;
        };
        await client.create(manifestWorks, storedWork());
      },
    ],
  ])('%s', async (_, happen) => {
    const supported = { supportedConfigs: [{ resource: 'nodes' }] };
    await client.merge(clusterManagementAddOns, hello, { spec: supported });
    await run();
    await untilRegistered();
    await happen();
    await nobodyAccepts();
    await expect.poll(bindings, patience).toEqual([]);
  });

  test('and when the cluster is gone', async () => {
    await run();
    await untilRegistered();
    await client.delete(managedClusters, { name: 'cluster1' });
    await expect.poll(bindings, patience).toEqual([]);
  });
});

describe('a binding is corrected immediately if another client', () => {
  const where = { name: 'fleetwright:hello:cluster1:role:reader', namespace: 'central' };
  const relabel = async (labels: object): Promise<unknown> =>
    await client.merge(roleBindings, where, { metadata: { labels } });

  test.each([
    ['deletes it', async () => await client.delete(roleBindings, where)],
    [
      'takes the label of its cluster',
      async () => await relabel({ 'open-cluster-management.io/cluster-name': null }),
    ],
    [
      'says that it is of another add-on',
      async () => await relabel({ 'open-cluster-management.io/addon-name': 'other' }),
    ],
    ['gives it to others', async () => await client.merge(roleBindings, where, { subjects: [] })],
  ])('%s', async (_, happen) => {
    await run();
    await untilRegistered();
    // What was written last is looked at once more, which would hide that nobody hears of the binding.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const wanted = await client.get(roleBindings, where);
    await happen();
    const held = async (): Promise<unknown> => {
      const found = await client.get(roleBindings, where);
      return { labels: found?.metadata.labels, subjects: found?.subjects };
    };
    await expect
      .poll(held, patience)
      .toEqual({ labels: wanted?.metadata.labels, subjects: wanted?.subjects });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await bindings()).toEqual(bound);
  });
});

describe('a template of another add-on', () => {
  const foreign = { ...template([inCentral]), metadata: { name: 'logs-1' } };
  const logs = { ...foreign, spec: { ...foreign.spec, addonName: 'logs' } };
  const named = {
    spec: {
      configs: [{ group: 'addon.open-cluster-management.io', resource: 'addontemplates', name: 'logs-1' }],
    },
  };
  const conditionOf = async (): Promise<unknown> =>
    (await client.get(managedClusterAddOns, onCluster1))?.status?.conditions?.find(
      ({ type }) => type === 'RegistrationApplied',
    );

  test('has nothing registered or bound by the add-on that names it on a cluster', async () => {
    await client.create(addOnTemplates, logs);
    await client.merge(managedClusterAddOns, onCluster1, named);
    await run();
    await expect.poll(conditionOf, patience).toMatchObject({
      status: 'False',
      reason: 'SetPermissionFailed',
      message:
        'Failed to set permission for hub agent: AddOnTemplate "logs-1" belongs to the add-on "logs" and is not shared: its annotation fleetwright.dev/shared-with lists the other add-ons that may use it',
    });
    expect((await client.get(managedClusterAddOns, onCluster1))?.status).not.toHaveProperty('registrations');
    expect(await bindings()).toEqual([]);
  });

  test('removes the permissions that its own template granted', async () => {
    await run();
    await untilRegistered();
    await client.create(addOnTemplates, logs);
    await client.merge(managedClusterAddOns, onCluster1, named);
    await expect.poll(bindings, patience).toEqual([]);
  });

  test('serves once it is shared with the add-on, and no longer than that', async () => {
    await client.create(addOnTemplates, logs);
    await client.merge(managedClusterAddOns, onCluster1, named);
    await run();
    await expect.poll(conditionOf, patience).toMatchObject({ status: 'False' });
    const share = async (addOns: string | null): Promise<unknown> =>
      await client.merge(
        addOnTemplates,
        { name: 'logs-1' },
        { metadata: { annotations: { 'fleetwright.dev/shared-with': addOns } } },
      );
    await share('metrics\nhello-2');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await bindings()).toEqual([]);
    await share('metrics\nhello');
    await expect.poll(conditionOf, patience).toMatchObject({ status: 'True' });
    await untilRegistered();
    await share(null);
    await expect.poll(bindings, patience).toEqual([]);
  });

  test('may be another one of the same add-on', async () => {
    await client.create(addOnTemplates, foreign);
    await client.delete(addOnTemplates, { name: 'hello-1' });
    await client.merge(managedClusterAddOns, onCluster1, named);
    await run();
    await expect.poll(bindings, patience).toEqual(bound);
  });
});

test('the permissions of an agent stay until the pre-delete hooks are complete, also without the definition', async () => {
  await run();
  await untilRegistered();
  await client.merge(managedClusterAddOns, onCluster1, {
    metadata: {
      annotations: { 'fleetwright.dev/delivery': 'compiled' },
      deletionTimestamp: '2026-01-31T12:00:00Z',
      finalizers: ['addon.open-cluster-management.io/addon-pre-delete'],
    },
  });
  await client.delete(clusterManagementAddOns, hello);
  await client.merge(managedClusterAddOns, onCluster1, { metadata: { labels: { seen: 'true' } } });
  await delay(500);
  expect(await bindings()).toEqual(bound);
  await client.merge(managedClusterAddOns, onCluster1, { metadata: { finalizers: null } });
  await expect.poll(bindings, patience).toEqual([]);
});

test('an add-on whose definition is being deleted is not made its owner again', async () => {
  await client.merge(clusterManagementAddOns, hello, {
    metadata: { deletionTimestamp: '2026-01-31T12:00:00Z', finalizers: ['orphan'] },
  });
  const [addOn, onCluster] = [storedAddOn({}, compiled), storedOnCluster()];
  await client.create(clusterManagementAddOns, {
    ...addOn,
    metadata: { ...addOn.metadata, name: 'pulse', uid: 'pulse' },
  });
  await client.create(managedClusterAddOns, {
    ...onCluster,
    metadata: { ...onCluster.metadata, name: 'pulse', uid: 'pulse-on-cluster1' },
  });
  await run();
  const ownersOf = async (name: string): Promise<readonly unknown[]> =>
    (await client.get(managedClusterAddOns, { name, namespace: 'cluster1' }))?.metadata.ownerReferences ?? [];
  await expect.poll(async () => await ownersOf('pulse'), patience).toHaveLength(1);
  expect(await ownersOf('hello')).toEqual([]);
});

test('a configuration of one cluster adds no kind that the add-on does not support', async () => {
  await client.merge(managedClusterAddOns, onCluster1, configured('example.com', 'secretwidgets'));
  await run();
  await untilRegistered();
  expect(server.requests.filter((line) => line.includes('example.com'))).toEqual([]);
  expect((await client.get(managedClusterAddOns, onCluster1))?.status?.configReferences).toMatchObject([
    { resource: 'secretwidgets', desiredConfig: { specHash: '' } },
  ]);
});

test('add-ons whose configuration cannot be listed do not keep others waiting', async () => {
  nobodyListsNodes();
  await client.merge(clusterManagementAddOns, hello, { spec: { supportedConfigs: [{ resource: 'nodes' }] } });
  for (let index = 2; index < 40; index += 1) {
    const [cluster, onCluster] = [storedCluster(), storedOnCluster()];
    const name = `cluster${index}`;
    await client.create(managedClusters, { ...cluster, metadata: { ...cluster.metadata, name } });
    await client.create(managedClusterAddOns, {
      ...onCluster,
      metadata: { ...onCluster.metadata, namespace: name },
      spec: { configs: [{ group: '', resource: 'nodes', name: 'node1' }] },
    });
  }
  await run();
  // One round of waiting for the kind, not one for each of them: that would be 48 seconds with eight at a time.
  await expect.poll(bindings, { ...patience, timeout: 40_000 }).toHaveLength(39);
  await expect
    .poll(async () => (await client.get(managedClusterAddOns, onCluster1))?.status?.registrations, patience)
    .toHaveLength(1);
});

describe('a ManagedClusterAddOn that the compiler wrote', () => {
  /** What the API server notes of who wrote an annotation. */
  const written = (annotation: string, text: string, time: string): object => ({
    metadata: {
      annotations: { [annotation]: text },
      managedFields: [
        {
          manager: 'argocd',
          time,
          fieldsV1: { 'f:metadata': { 'f:annotations': { [`f:${annotation}`]: {} } } },
        },
      ],
    },
  });
  const early = '2026-01-31T12:00:00Z';
  const late = '2026-01-31T12:00:01Z';
  const list = async (clusters: string, time: string): Promise<unknown> =>
    await client.merge(clusterManagementAddOns, hello, written('fleetwright.dev/clusters', clusters, time));
  const mark = async (time: string): Promise<unknown> =>
    await client.merge(
      managedClusterAddOns,
      onCluster1,
      written('fleetwright.dev/delivery', 'compiled', time),
    );
  const isThere = async (): Promise<boolean> =>
    (await client.get(managedClusterAddOns, onCluster1)) !== undefined;

  test('is deleted if Git no longer lists its cluster', async () => {
    await mark(early);
    await list('cluster2', late);
    await run();
    await expect.poll(isThere, patience).toBe(false);
  });

  test('is kept if it was written later than the list that lacks its cluster: the new list is on its way', async () => {
    await list('cluster2', early);
    await mark(late);
    await run();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await isThere()).toBe(true);
    await list('cluster1\ncluster2', late);
    await untilRegistered();
  });

  test('is kept if only the cache does not have the cluster yet', async () => {
    await list('cluster2', early);
    let watching = false;
    server.intercept = ({ url = '' }, response) => {
      if (!url.includes('/clustermanagementaddons?') || !url.includes('watch=true')) return false;
      // A watch that never sends anything.
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.flushHeaders();
      watching = true;
      return true;
    };
    await run();
    await expect.poll(() => watching, patience).toBe(true);
    await list('cluster1\ncluster2', late);
    await mark(late);
    await expect
      .poll(
        () => server.requests.filter((line) => /^GET .*\/clustermanagementaddons\/hello$/.test(line)).length,
        patience,
      )
      .toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await isThere()).toBe(true);
  });
});

test('a status that another client changes repeatedly is corrected, but not as often', async () => {
  await run();
  await untilRegistered();
  const spoil = async (): Promise<unknown> =>
    await client.merge(
      managedClusterAddOns,
      onCluster1,
      { status: { registrations: [] } },
      { subresource: 'status' },
    );
  const writes = (): number => server.requests.filter((line) => line === `PATCH ${statusPath}`).length;
  const before = writes();
  const start = performance.now();
  const spoils = 100;
  for (let spoilt = 0; spoilt < spoils; spoilt += 1) {
    await spoil();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const corrections = writes() - before - spoils;
  expect(corrections).toBeGreaterThan(0);
  expect(corrections).toBeLessThanOrEqual(20 + (performance.now() - start) / 5000);
  await untilRegistered();
});

test('a status that a cluster fills with megabytes is not cached, and is corrected', async () => {
  const bulk = 'x'.repeat(100_000);
  await client.merge(
    managedClusterAddOns,
    onCluster1,
    {
      status: {
        addOnMeta: { description: bulk },
        registrations: [{ signerName: bulk }],
        conditions: [{ type: 'Own', status: 'True', reason: 'Own', message: bulk, lastTransitionTime: time }],
      },
    },
    { subresource: 'status' },
  );
  await run();
  await untilRegistered();
  await expect
    .poll(async () => {
      const status = (await client.get(managedClusterAddOns, onCluster1))?.status;
      return status?.conditions?.map(({ type }) => type);
    }, patience)
    .not.toContain('Own');
});
