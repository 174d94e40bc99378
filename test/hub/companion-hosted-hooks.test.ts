import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { ApiClient } from './client/api-client.ts';
import { connect, type Hub } from './client/hub.ts';
import { namespaceKind, ocmKinds, reference, type KindOf } from './client/kinds.ts';
import { readAccess } from './client/kubeconfig.ts';
import { addOnCondition } from './companion/add-on-condition.ts';
import { confinedKubeconfig } from './companion/confined-companion.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';
import { synthesized } from './companion/synthesized.ts';
import { until } from './companion/work-agent.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';

// Pre-delete hooks in hosted mode. OCM's own work agent runs on the hosting cluster `host`; the managed cluster `edge` and the hosting
// cluster `lost` are objects only, and the tests report their works.

const [edge, host, lost] = ['edge', 'host', 'lost'];
const prefix = 'addon.open-cluster-management.io';
const finalizers = [`${prefix}/addon-pre-delete`, `${prefix}/hosting-addon-pre-delete`];
const jobKind: KindOf = ['batch/v1', 'Job'];
const configMapKind: KindOf = ['v1', 'ConfigMap'];
const patience = { timeout: 120_000, interval: 250 };

let running: RunningHub;
let hub: Hub;
let onHost: ApiClient;
let confined: string;
let companion: RunningCompanion;

beforeAll(async () => {
  running = await startHub({ managedCluster: host });
  hub = connect(running);
  onHost = new ApiClient(readAccess(running.managedCluster?.kubeconfig ?? ''));
  confined = await confinedKubeconfig(hub.client, running.kubeconfig, 'companion', { preDeleteHooks: true });
  companion = startCompanion(confined, { preDeleteHooks: true });
  for (const cluster of [edge, lost]) {
    await hub.client.apply(managedCluster(cluster));
    await until(() => hub.client.get(...namespaceKind, cluster));
  }
}, 300_000);
afterAll(async () => {
  await companion.stop();
  onHost.close();
  hub.close();
  await running.stop();
}, 60_000);

function managedCluster(name: string): KubernetesObject {
  return {
    ...reference(ocmKinds.managedCluster, name),
    spec: { hubAcceptsClient: true, leaseDurationSeconds: 3600 },
  };
}

function at(location: string, object: KubernetesObject, annotations = {}): KubernetesObject {
  const located = { [`${prefix}/hosted-manifest-location`]: location, ...annotations };
  return { ...object, metadata: { ...object.metadata, annotations: located } };
}

/** An add-on of `edge` with a ConfigMap and a hook for each of both clusters. */
function hosted(name: string, hostingCluster: string): readonly object[] {
  const hook = (location: string): KubernetesObject => {
    const spec = { restartPolicy: 'Never', containers: [{ name: 'bye', image: 'example.com/bye:1' }] };
    const job = {
      ...reference(jobKind, `${name}-${location}`, 'default'),
      spec: { backoffLimit: 0, template: { spec } },
    };
    return at(location, job, { [`${prefix}/addon-pre-delete`]: '' });
  };
  const settings = (location: string): KubernetesObject =>
    at(location, reference(configMapKind, `${name}-${location}`, 'default'));
  const manifests = ['managed', 'hosting'].flatMap((location) => [settings(location), hook(location)]);
  return [
    {
      ...reference(ocmKinds.addOnTemplate, name),
      spec: { addonName: name, agentSpec: { workload: { manifests } } },
    },
    {
      ...reference(ocmKinds.clusterManagementAddOn, name),
      metadata: {
        name,
        annotations: {
          'fleetwright.dev/delivery': 'compiled',
          'fleetwright.dev/pre-delete-hooks': 'run',
        },
      },
      spec: {
        supportedConfigs: [{ group: prefix, resource: 'addontemplates', defaultConfig: { name } }],
      },
    },
    {
      ...reference(ocmKinds.managedClusterAddOn, name, edge),
      metadata: {
        name,
        namespace: edge,
        annotations: { [`${prefix}/hosting-cluster-name`]: hostingCluster },
      },
      spec: {},
    },
  ];
}

const addOn = async (name: string): Promise<KubernetesObject | undefined> =>
  await hub.client.get(...ocmKinds.managedClusterAddOn, name, edge);
const hookWorkName = (name: string, location: 'managed' | 'hosting'): string =>
  `addon-${name}-pre-delete${location === 'hosting' ? `-hosting-${edge}` : ''}`;
const job = async (name: string): Promise<KubernetesObject | undefined> =>
  await onHost.get(...jobKind, `${name}-hosting`, 'default');
const settings = async (name: string): Promise<KubernetesObject | undefined> =>
  await onHost.get(...configMapKind, `${name}-hosting`, 'default');

/** The works of an add-on, by `namespace/name`. */
async function works(name: string): Promise<readonly string[]> {
  return (await hub.client.list(...ocmKinds.manifestWork))
    .filter(({ metadata }) => metadata.name?.startsWith(`addon-${name}-`))
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
    .sort();
}

/** Installs an add-on, and waits until its deletion would wait; returns what an engine applies. */
async function install(name: string, hostingCluster: string): Promise<readonly KubernetesObject[]> {
  const fleet = [edge, hostingCluster].map(managedCluster);
  const objects = await synthesized([...hosted(name, hostingCluster)], fleet);
  for (const object of objects) await hub.client.apply(object);
  await expect.poll(async () => (await addOn(name))?.metadata.finalizers, patience).toEqual(finalizers);
  await expect
    .poll(
      async () => await hub.client.get(...ocmKinds.manifestWork, `addon-${name}-deploy-0`, edge),
      patience,
    )
    .toMatchObject({ metadata: { ownerReferences: [{ kind: 'ManagedClusterAddOn', name }] } });
  return objects;
}

/** Deletes what an engine deletes when Git no longer has the app: not the works that say otherwise. */
async function uninstall(objects: readonly KubernetesObject[]): Promise<void> {
  for (const object of objects.toReversed()) {
    const { annotations, namespace } = object.metadata;
    const isOwned = object.kind === 'ManifestWork' && namespace === edge;
    if (isOwned || annotations?.['argocd.argoproj.io/sync-options'] === 'Prune=false,Delete=false') continue;
    await hub.client.delete(object);
  }
}

/** Reports the hook of a work as complete, as the agent of its cluster does. */
async function report(namespace: string, name: string): Promise<void> {
  const work = await until(() => hub.client.get(...ocmKinds.manifestWork, name, namespace));
  const { manifestConfigs } = work['spec'] as {
    readonly manifestConfigs: readonly { readonly resourceIdentifier: object }[];
  };
  const time = '2026-11-21T00:00:00Z';
  const conditions = [
    { type: 'Available', status: 'True', reason: 'Reported', message: '', lastTransitionTime: time },
  ];
  const manifests = manifestConfigs.map(({ resourceIdentifier }, ordinal) => ({
    conditions: [],
    resourceMeta: { ordinal, version: 'v1', kind: 'Job', ...resourceIdentifier },
    statusFeedback: { values: [{ name: 'JobComplete', fieldValue: { type: 'String', string: 'True' } }] },
  }));
  await hub.client.merge(work, { status: { conditions, resourceStatus: { manifests } } }, 'status');
}

/** Reports the end of the Job on the hosting cluster as Kubernetes' Job controller does. */
async function end(name: string, types: readonly string[], counts: object): Promise<void> {
  const time = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const conditions = types.map((type) => ({
    type,
    status: 'True',
    lastProbeTime: time,
    lastTransitionTime: time,
    reason: 'Reported',
    message: 'as reported',
  }));
  const completionTime = types.includes('Complete') ? { completionTime: time } : {};
  const status = { startTime: time, ...completionTime, ...counts, conditions };
  await onHost.merge(reference(jobKind, `${name}-hosting`, 'default'), { status }, 'status');
}

async function expectCondition(name: string, reason: string, message: string): Promise<void> {
  await expect
    .poll(async () => await addOnCondition(hub.client, name, edge, 'HookManifestCompleted'), patience)
    .toMatchObject({ status: 'False', reason, message });
}

test('both clusters run their hooks before anything goes, also if one fails and another companion continues', async () => {
  const name = 'hosted';
  const objects = await install(name, host);
  await until(() => settings(name));
  await uninstall(objects);
  const first = await until(() => job(name));
  const all = [
    `${edge}/addon-${name}-deploy-0`,
    `${edge}/${hookWorkName(name, 'managed')}`,
    `${host}/addon-${name}-deploy-hosting-${edge}-0`,
    `${host}/${hookWorkName(name, 'hosting')}`,
  ].sort();
  await expect.poll(async () => await works(name), patience).toEqual(all);

  await report(edge, hookWorkName(name, 'managed'));
  await end(name, ['FailureTarget', 'Failed'], { failed: 1 });
  await expectCondition(
    name,
    'HookFailed',
    `hook manifestWork ${hookWorkName(name, 'hosting')} is not completed: Job default/${name}-hosting failed, and is run again.`,
  );
  await companion.stop();
  companion = startCompanion(confined, { preDeleteHooks: true });
  await until(async () => {
    const again = await job(name);
    return again?.metadata.uid === first.metadata.uid ? undefined : again;
  });
  expect(await settings(name)).toBeDefined();
  expect(await works(name)).toEqual(all);

  await companion.stop();
  await end(name, ['SuccessCriteriaMet', 'Complete'], { succeeded: 1 });
  companion = startCompanion(confined, { preDeleteHooks: true });
  await expect.poll(async () => await addOn(name), patience).toBeUndefined();
  await expect.poll(async () => await works(name), patience).toEqual([]);
  await expect.poll(async () => await settings(name), patience).toBeUndefined();
  await expect.poll(async () => await job(name), patience).toBeUndefined();
  expect(companion.log.lines.join('\n')).not.toContain('error');
});

test('hooks on a hosting cluster that leaves the hub are not run, and those on the managed cluster are', async () => {
  const name = 'lonely';
  await uninstall(await install(name, lost));
  await expect
    .poll(async () => await works(name), patience)
    .toContain(`${lost}/${hookWorkName(name, 'hosting')}`);
  await hub.client.delete(reference(ocmKinds.managedCluster, lost));
  await expect.poll(async () => (await addOn(name))?.metadata.finalizers, patience).toEqual([finalizers[0]]);
  await expect
    .poll(async () => await works(name), patience)
    .toEqual([`${edge}/addon-${name}-deploy-0`, `${edge}/${hookWorkName(name, 'managed')}`]);
  await report(edge, hookWorkName(name, 'managed'));
  await expect.poll(async () => await addOn(name), patience).toBeUndefined();
  await expect.poll(async () => await works(name), patience).toEqual([]);
});

test('an add-on that another cluster hosts, or none, leaves nothing on the first one', async () => {
  const name = 'moving';
  const objects = await install(name, host);
  await until(() => settings(name));
  // API servers record times in seconds.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const app = hosted(name, host) as readonly KubernetesObject[];
  const unhosted = app.map((object) =>
    object.kind === 'ManagedClusterAddOn' ? { ...object, metadata: { name, namespace: edge } } : object,
  );
  for (const object of await synthesized(unhosted, [managedCluster(edge)])) await hub.client.apply(object);
  await expect.poll(async () => await settings(name), patience).toBeUndefined();
  await expect.poll(async () => (await addOn(name))?.metadata.finalizers, patience).toEqual([finalizers[0]]);
  await expect.poll(async () => await works(name), patience).toEqual([`${edge}/addon-${name}-deploy-0`]);
  await uninstall(objects);
  await report(edge, hookWorkName(name, 'managed'));
  await expect.poll(async () => await works(name), patience).toEqual([]);
});

test('the companion uses what it may for that, and neither permissions nor policies refuse anything', async () => {
  const { answered, refused } = await companion.requests();
  expect(refused).toEqual([]);
  expect(answered).toEqual(
    expect.arrayContaining(['get', 'create', 'delete'].map((verb) => `${verb} manifestworks`)),
  );
});
