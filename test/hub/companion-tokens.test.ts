import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { project } from '../conformance/projection.ts';
import { ApiClient } from './client/api-client.ts';
import { connect, type Hub } from './client/hub.ts';
import { ocmKinds, reference, role, roleBinding, serviceAccount, type KindOf } from './client/kinds.ts';
import { readAccess } from './client/kubeconfig.ts';
import { addOnCondition } from './companion/add-on-condition.ts';
import { confinedKubeconfig } from './companion/confined-companion.ts';
import {
  deployedAddOn,
  deploymentKind,
  everywhere,
  fleetOf,
  kubeClientRegistration,
} from './companion/deployed-add-on.ts';
import { secretKind } from './companion/fleet.ts';
import { kubeconfigAs } from './companion/permissions.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';
import { synthesized } from './companion/synthesized.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';

// Agents that register with tokens: OCM's registration agent on a managed cluster, without and with the addon-manager of the hub.

const registration = [kubeClientRegistration('hello-reader')];
const app = [
  ...everywhere,
  ...deployedAddOn('hello', { registration }),
  ...deployedAddOn('brief', { registration }),
];
const reader = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'hello-reader' },
  rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
};
/** An add-on without compiled delivery, which the companion manages because its settings name it. */
const named = [
  {
    ...reference(ocmKinds.addOnTemplate, 'named'),
    spec: { addonName: 'named', agentSpec: { workload: { manifests: [] } }, registration },
  },
  {
    ...reference(ocmKinds.clusterManagementAddOn, 'named'),
    metadata: {
      name: 'named',
      annotations: {
        'addon.open-cluster-management.io/lifecycle': 'self',
        'fleetwright.dev/default-template': 'named',
      },
    },
    spec: {},
  },
  { ...reference(ocmKinds.managedClusterAddOn, 'named', 'cluster1'), spec: {} },
];
const tokenKinds = [serviceAccount, role, roleBinding];
const patience = { timeout: 120_000, interval: 250 };

let running: RunningHub;
let hub: Hub;
let cluster: ApiClient;
let confined: string;
let companion: RunningCompanion;
let folder: string;

function start(): void {
  companion = startCompanion(confined, { tokenRegistration: true, addOn: ['named'] });
}

beforeAll(async () => {
  const objects = await synthesized(app, fleetOf('cluster1'));
  running = await startHub({ managedCluster: 'cluster1', addOnRegistration: 'token' });
  hub = connect(running);
  folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-tokens-'));
  cluster = new ApiClient(readAccess(running.managedCluster?.kubeconfig ?? ''));
  await running.cause('stop-add-on-manager');
  await hub.client.apply(reader);
  confined = await confinedKubeconfig(hub.client, running.kubeconfig, 'companion', {
    grants: [{ kind: 'ClusterRole', name: reader.metadata.name }],
    tokenRegistration: true,
  });
  start();
  for (const object of [...objects, ...named]) await hub.client.apply(object);
}, 240_000);
afterAll(async () => {
  await companion.stop();
  cluster.close();
  hub.close();
  await running.stop();
  rmSync(folder, { recursive: true });
}, 60_000);

async function condition(name: string, type: string): Promise<unknown> {
  const found = await addOnCondition(hub.client, name, 'cluster1', type);
  return found && [found.status, found.reason, found.message];
}

async function tokenObjects(addOn: string): Promise<readonly KubernetesObject[]> {
  const selector = `addon.open-cluster-management.io/name=${addOn}`;
  const lists = await Promise.all(
    tokenKinds.map(
      async ([apiVersion, kind]) => await hub.client.list(apiVersion, kind, 'cluster1', selector),
    ),
  );
  return lists.flat();
}

async function accountUid(name: string): Promise<string | undefined> {
  return (await hub.client.get(...serviceAccount, `${name}-agent`, 'cluster1'))?.metadata.uid;
}

/** Returns when all objects are there, and the condition names the present ServiceAccount, which may be there before the others. */
async function untilReady(name: string): Promise<void> {
  const isReady = async (): Promise<boolean> => {
    const kinds = (await tokenObjects(name)).map(({ kind }) => kind);
    const message = `ServiceAccount cluster1/${name}-agent (UID: ${await accountUid(name)}) is ready`;
    const expected = ['True', 'TokenInfrastructureReady', message];
    return (
      kinds.length === tokenKinds.length &&
      JSON.stringify(await condition(name, 'TokenInfrastructureReady')) === JSON.stringify(expected)
    );
  };
  await expect.poll(isReady, patience).toBe(true);
}

async function secretOf(name: string): Promise<Readonly<Record<string, string>> | undefined> {
  const namespace = name === 'named' ? 'open-cluster-management-agent-addon' : name;
  const found = await cluster.get(...secretKind, `${name}-hub-kubeconfig`, namespace);
  return found?.['data'] as Readonly<Record<string, string>> | undefined;
}

/** The uid of the ServiceAccount that a token of a Secret is for. */
function uidIn(data: Readonly<Record<string, string>> = {}): string | undefined {
  const [, claims = ''] = Buffer.from(data['token'] ?? '', 'base64')
    .toString()
    .split('.');
  if (claims === '') return undefined;
  const { 'kubernetes.io': kubernetes } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
    readonly 'kubernetes.io': { readonly serviceaccount: { readonly uid: string } };
  };
  return kubernetes.serviceaccount.uid;
}

const versions = async (): Promise<readonly unknown[]> => {
  const held = await Promise.all(
    ['hello', 'named'].map(
      async (name) => await hub.client.get(...ocmKinds.managedClusterAddOn, name, 'cluster1'),
    ),
  );
  const objects = [...held, ...(await tokenObjects('hello')), ...(await tokenObjects('named'))];
  return objects.map((object) => {
    const { name, resourceVersion } = (object?.metadata ?? {}) as { name?: string; resourceVersion?: string };
    return `${object?.kind} ${name} ${resourceVersion}`;
  });
};

/** Returns the versions of all objects once nothing has changed for some seconds. */
async function atRest(): Promise<readonly unknown[]> {
  let before: readonly unknown[] = [];
  await expect
    .poll(
      async () => {
        before = await versions();
        await delay(3000);
        return JSON.stringify(await versions()) === JSON.stringify(before);
      },
      { timeout: 120_000, interval: 10 },
    )
    .toBe(true);
  return before;
}

test.each(['hello', 'brief'])(
  '%s: without the addon-manager of the hub, an agent gets its token through the companion',
  async (name) => {
    await untilReady(name);
    await expect
      .poll(async () => await cluster.get(...deploymentKind, name, name), patience)
      .toMatchObject({ spec: { replicas: 1 } });
    await expect.poll(async () => uidIn(await secretOf(name)), patience).toBe(await accountUid(name));
    expect(Object.keys((await secretOf(name)) ?? {}).sort()).toEqual(['cluster-name', 'kubeconfig', 'token']);
    await expect
      .poll(async () => await condition(name, 'TokenRefreshed'), patience)
      .toEqual(['True', 'AddonTokenRefreshed', expect.stringMatching(/^Addon token refreshed, expires at /)]);
  },
);

test('an add-on that the settings name is served too', async () => {
  await untilReady('named');
  expect((await tokenObjects('named')).map(({ kind }) => kind)).toEqual([
    'ServiceAccount',
    'Role',
    'RoleBinding',
  ]);
});

test('the token has exactly the permissions of the template on the hub', async () => {
  const token = Buffer.from((await secretOf('hello'))?.['token'] ?? '', 'base64').toString();
  const file = kubeconfigAs(running.kubeconfig, { folder, name: 'agent', change: () => ({ token }) });
  const agent = new ApiClient(readAccess(file));
  const configMaps: KindOf = ['v1', 'ConfigMap'];
  const list =
    (namespace: string, kind = configMaps) =>
    async (): Promise<unknown> =>
      await agent.list(...kind, namespace);
  try {
    await expect.poll(list('cluster1'), patience).toEqual(expect.any(Array));
    await expect(list('default')()).rejects.toThrow('is forbidden');
    await expect(list('cluster1', secretKind)()).rejects.toThrow('is forbidden');
  } finally {
    agent.close();
  }
});

test('the objects are removed with the add-on', async () => {
  await hub.client.delete(reference(ocmKinds.clusterManagementAddOn, 'brief'));
  await expect
    .poll(async () => await hub.client.get(...ocmKinds.managedClusterAddOn, 'brief', 'cluster1'), patience)
    .toBeUndefined();
  await expect.poll(async () => await tokenObjects('brief'), patience).toEqual([]);
});

test('when the addon-manager starts beside the companion, nothing changes', async () => {
  const before = await atRest();
  await running.cause('start-add-on-manager');
  await delay(10_000);
  expect(await atRest()).toEqual(before);
  expect((await companion.requests()).refused).toEqual([]);
});

test('both restore what somebody deletes, and come to rest with a valid token', async () => {
  for (const object of await tokenObjects('hello')) await hub.client.delete(object);
  await untilReady('hello');
  await atRest();
  await untilReady('hello');
  await expect.poll(async () => uidIn(await secretOf('hello')), patience).toBe(await accountUid('hello'));
});

test('the objects are those of the addon-manager, with the label of the companion', async () => {
  const label = /,?"app.kubernetes.io\/managed-by":"fleetwright-controller"/g;
  const withoutLabel = (objects: readonly KubernetesObject[]): unknown =>
    JSON.parse(JSON.stringify(project(objects)).replaceAll(label, ''));
  const created = await tokenObjects('named');
  expect(JSON.stringify(project(created)).match(label)).toHaveLength(3);
  await companion.stop();
  for (const object of created) await hub.client.delete(object);
  await untilReady('named');
  const ofManager = await tokenObjects('named');
  start();
  expect(withoutLabel(created)).toEqual(project(ofManager));
  expect(JSON.stringify(project(ofManager))).not.toMatch(label);
  // What the addon-manager created stays as it is, although the companion runs again.
  const before = await atRest();
  await delay(5000);
  expect(await versions()).toEqual(before);
});
