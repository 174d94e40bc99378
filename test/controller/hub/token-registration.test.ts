import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { setTimeout as delay } from 'node:timers/promises';
import { managedClusterAddOns } from '../../../src/controller/add-on/managed-cluster-add-ons.ts';
import {
  addOnTemplates,
  clusterManagementAddOns,
  managedClusters,
} from '../../../src/controller/hub/resources.ts';
import {
  roleBindings,
  roles,
  serviceAccounts,
} from '../../../src/controller/hub/token-registration/token-objects.ts';
import type { ApiClient } from '../../../src/client/api-client.ts';
import type { ApiObject } from '../../../src/client/object.ts';
import type { Resource } from '../../../src/client/resource.ts';
import { conditionOf } from '../../../src/base/objects/condition.ts';
import { tokenInfrastructure } from '../../../src/ocm/token-infrastructure.ts';
import type { Condition } from '../../../schemas/types.gen.ts';
import { FakeApiServer } from '../api-server.ts';
import { runAddOnController } from './running-add-on-controller.ts';
import { storedAddOn, storedCluster, storedOnCluster, template } from './stored-add-ons.ts';

const patience = { timeout: 60_000, interval: 20 };
const hello = { name: 'hello' };
const onCluster1 = { name: 'hello', namespace: 'cluster1' };
const account = { name: 'hello-agent', namespace: 'cluster1' };
const role = { name: 'hello-token-role', namespace: 'cluster1' };
const compiled = {
  'addon.open-cluster-management.io/lifecycle': 'self',
  'fleetwright.dev/delivery': 'compiled',
  'fleetwright.dev/default-template': 'hello-1',
};
const kubeClient = { type: 'KubeClient' } as const;
const ofAddonManager = tokenInfrastructure({ addOn: 'hello', cluster: 'cluster1' });

let server: FakeApiServer;
let client: ApiClient;
let end: AbortController;
let running: Promise<unknown> = Promise.resolve();

beforeEach(async () => {
  server = await FakeApiServer.start();
  client = server.client();
  end = new AbortController();
  await client.create(managedClusters, storedCluster());
  await client.create(addOnTemplates, template([kubeClient]));
  await client.create(clusterManagementAddOns, storedAddOn({}, compiled));
  await client.create(managedClusterAddOns, storedOnCluster());
});

afterEach(async () => {
  end.abort();
  await running;
  await server.stop();
});

async function run(flags: Readonly<Record<string, unknown>> = { tokenRegistration: true }): Promise<void> {
  ({ ended: running } = await runAddOnController(client, flags, end.signal));
}

/** Writes a status as the agent of the cluster does. */
async function report(status: object): Promise<void> {
  await client.merge(managedClusterAddOns, onCluster1, { status }, { subresource: 'status' });
}

async function condition(type = 'TokenInfrastructureReady'): Promise<Condition | undefined> {
  return conditionOf((await client.get(managedClusterAddOns, onCluster1))?.status?.conditions, type);
}

const message = async (): Promise<string | undefined> => (await condition())?.message;

async function names(): Promise<readonly string[]> {
  const kinds: readonly Resource[] = [serviceAccounts, roles, roleBindings];
  const objects: ApiObject[] = [];
  for (const kind of kinds) objects.push(...(await client.list(kind)));
  return objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`).sort();
}

const all = [
  'Role cluster1/hello-token-role',
  'RoleBinding cluster1/hello-token-role',
  'ServiceAccount cluster1/hello-agent',
];

async function uidOf(resource: Resource, name: typeof account): Promise<string | undefined> {
  return (await client.get(resource, name))?.metadata.uid;
}

/** Returns when all objects are there, with the condition that OCM's hub writes for this ServiceAccount. */
async function untilReady(): Promise<void> {
  const isReady = async (): Promise<boolean> =>
    (await message()) ===
    `ServiceAccount cluster1/hello-agent (UID: ${await uidOf(serviceAccounts, account)}) is ready`;
  await expect.poll(async () => [await isReady(), await names()], patience).toEqual([true, all]);
}

async function untilToken(): Promise<void> {
  await report({ kubeClientDriver: 'token' });
  await untilReady();
}

async function createForeign(): Promise<void> {
  await client.create(serviceAccounts, ofAddonManager.serviceAccount);
  await client.create(roles, ofAddonManager.role);
  await client.create(roleBindings, ofAddonManager.roleBinding);
}

/** The number of requests of the companion that change something, apart from statuses. */
const writes = (): number =>
  server.requests.filter((request) =>
    /^(?:POST|PATCH|PUT|DELETE) .*(?:serviceaccounts|roles|rolebindings)/.test(request),
  ).length;

const rest = async (): Promise<void> => await delay(300);

test('an agent that registers with a token gets its ServiceAccount, as the addon-manager of the hub makes it', async () => {
  await run();
  await untilToken();
  const own = { 'app.kubernetes.io/managed-by': 'fleetwright-controller' };
  const { serviceAccount, role: desiredRole, roleBinding } = ofAddonManager;
  for (const [resource, { metadata, ...content }] of [
    [serviceAccounts, serviceAccount],
    [roles, desiredRole],
    [roleBindings, roleBinding],
  ] as const) {
    const { name = '', namespace = '' } = metadata;
    const stored = await client.get<ApiObject>(resource, { name, namespace });
    expect(stored).toMatchObject(content);
    expect(stored?.metadata.labels).toEqual({ ...metadata.labels, ...own });
  }
  expect(await condition()).toMatchObject({ status: 'True', reason: 'TokenInfrastructureReady' });
  expect((await client.get(managedClusterAddOns, onCluster1))?.status?.registrations).toEqual([
    {
      signerName: 'kubernetes.io/kube-apiserver-client',
      subject: { user: 'system:serviceaccount:cluster1:hello-agent' },
    },
  ]);
});

test('nothing happens without the setting, and the condition of the hub stays', async () => {
  const served = { type: 'TokenInfrastructureReady', status: 'True', reason: 'R', message: 'of the hub' };
  await report({
    kubeClientDriver: 'token',
    conditions: [{ ...served, lastTransitionTime: '2026-01-31T12:00:00Z' }],
  });
  await run({});
  await expect.poll(async () => (await condition('RegistrationApplied'))?.status, patience).toBe('True');
  await rest();
  expect(await names()).toEqual([]);
  expect(await condition()).toMatchObject(served);
});

describe('the objects and the condition go', () => {
  test.each<[string, () => Promise<unknown>]>([
    [
      'when the agent registers with a certificate again',
      async () => await report({ kubeClientDriver: 'csr' }),
    ],
    [
      'when the template has no access to the API server any more',
      async () => await client.merge(addOnTemplates, { name: 'hello-1' }, { spec: { registration: [] } }),
    ],
    [
      'when the template belongs to another add-on',
      async () => await client.merge(addOnTemplates, { name: 'hello-1' }, { spec: { addonName: 'other' } }),
    ],
    [
      'when the hub no longer accepts the cluster',
      async () =>
        await client.merge(managedClusters, { name: 'cluster1' }, { spec: { hubAcceptsClient: false } }),
    ],
  ])('%s', async (_, happen) => {
    await run();
    await untilToken();
    await happen();
    await expect.poll(async () => [await names(), await condition()], patience).toEqual([[], undefined]);
  });

  test('when the add-on has left the cluster, even if the companion was away then', async () => {
    await run();
    await untilToken();
    end.abort();
    await running;
    await client.delete(managedClusterAddOns, onCluster1);
    end = new AbortController();
    await run();
    await expect.poll(names, patience).toEqual([]);
  });

  test('when another manager than that of the hub takes the add-on over', async () => {
    await run();
    await untilToken();
    const annotations = { 'fleetwright.dev/delivery': null };
    await client.merge(managedClusterAddOns, onCluster1, { metadata: { annotations } });
    await client.merge(clusterManagementAddOns, hello, { metadata: { annotations } });
    await expect.poll(names, patience).toEqual([]);
  });
});

describe('the objects stay', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['while the template is missing', async () => await client.delete(addOnTemplates, { name: 'hello-1' })],
    [
      'while the add-on is being deleted: its agent may still clean up',
      async () =>
        await client.merge(managedClusterAddOns, onCluster1, {
          metadata: { deletionTimestamp: '2026-01-31T12:00:00Z' },
        }),
    ],
    [
      'when the addon-manager of the hub takes the add-on over',
      async () =>
        await client.merge(clusterManagementAddOns, hello, {
          metadata: { annotations: { 'addon.open-cluster-management.io/lifecycle': 'addon-manager' } },
        }),
    ],
  ])('%s', async (_, happen) => {
    await run();
    await untilToken();
    const before = await uidOf(serviceAccounts, account);
    await happen();
    await rest();
    expect(await names()).toEqual(all);
    expect(await uidOf(serviceAccounts, account)).toBe(before);
  });
});

describe('objects that the companion created are restored', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['if the ServiceAccount is deleted', async () => await client.delete(serviceAccounts, account)],
    ['if the Role is deleted', async () => await client.delete(roles, role)],
    ['if the Role gets other rules', async () => await client.merge(roles, role, { rules: [] })],
    [
      'if the binding gets other subjects',
      async () => await client.merge(roleBindings, role, { subjects: [] }),
    ],
    [
      'if the condition is removed',
      async () => {
        const { conditions = [] } = (await client.get(managedClusterAddOns, onCluster1))?.status ?? {};
        await report({ conditions: conditions.filter(({ type }) => type !== 'TokenInfrastructureReady') });
      },
    ],
  ])('%s', async (_, happen) => {
    await run();
    await untilToken();
    await rest();
    await happen();
    const content = async (): Promise<unknown> => {
      const uid = await uidOf(serviceAccounts, account);
      return [
        (await message())?.includes(`(UID: ${uid})`),
        (await client.get(roles, role))?.rules,
        (await client.get(roleBindings, role))?.subjects,
      ];
    };
    await expect
      .poll(content, patience)
      .toEqual([true, ofAddonManager.role.rules, ofAddonManager.roleBinding.subjects]);
  });
});

describe('where the addon-manager of the hub runs too', () => {
  test('its objects are used, and neither changed nor deleted', async () => {
    await createForeign();
    const before = writes();
    await run();
    await untilToken();
    await rest();
    expect(writes()).toBe(before);
    await report({ kubeClientDriver: 'csr' });
    await expect.poll(condition, patience).toBeUndefined();
    await rest();
    expect([await names(), writes()]).toEqual([all, before]);
  });

  test('its condition stays for a cluster that the hub does not accept, since it serves that one too', async () => {
    await createForeign();
    await run();
    await untilToken();
    await client.merge(managedClusters, { name: 'cluster1' }, { spec: { hubAcceptsClient: false } });
    await expect.poll(async () => (await condition('RegistrationApplied'))?.status, patience).toBe('False');
    await rest();
    expect(await condition()).toMatchObject({ status: 'True' });
  });

  test('neither undoes what the other does', async () => {
    await run();
    await untilToken();
    await rest();
    const settled = [
      writes(),
      (await client.get(managedClusterAddOns, onCluster1))?.metadata.resourceVersion,
    ];
    // As OCM's ApplyServiceAccount: an update that changes nothing.
    await client.merge(serviceAccounts, account, {
      metadata: { labels: ofAddonManager.serviceAccount.metadata.labels },
    });
    await rest();
    const after = (await client.get(managedClusterAddOns, onCluster1))?.metadata.resourceVersion;
    expect([writes() - 1, after]).toEqual(settled);
  });
});

test('a ServiceAccount of another purpose is not given to the cluster', async () => {
  await client.create(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account });
  await run();
  await report({ kubeClientDriver: 'token' });
  await expect.poll(condition, patience).toMatchObject({
    status: 'False',
    reason: 'TokenInfrastructureApplyFailed',
    message:
      'Failed to apply token infrastructure: ServiceAccount "hello-agent" exists with other labels or content, and the companion has not created it',
  });
  expect(await names()).toEqual(['ServiceAccount cluster1/hello-agent']);
  await client.delete(serviceAccounts, account);
  await untilReady();
});

test('an agent that changes its mind all the time is followed at a bounded rate', async () => {
  await run();
  await untilToken();
  for (let index = 0; index < 30; index++) {
    await report({ kubeClientDriver: index % 2 === 0 ? 'csr' : 'token' });
    await delay(60);
  }
  // Ten changes of up to three objects each, of which the cache may be behind.
  expect(writes()).toBeLessThan(40);
});
