import { afterEach, beforeEach, expect, test } from 'vitest';
import { managedClusterAddOns } from '../../../../src/controller/add-on/managed-cluster-add-ons.ts';
import { managedClusters, manifestWorks } from '../../../../src/controller/hub/resources.ts';
import { conditionOf } from '../../../../src/base/objects/condition.ts';
import type { ManagedClusterAddOnV1alpha1 } from '../../../../schemas/types.gen.ts';
import { storedCluster, storedOnCluster, storedWork } from '../stored-add-ons.ts';
import { HookHub } from './hook-hub.ts';
import { hook } from './stored-hook-work.ts';

// `hello` on `cluster1`, hosted by `host`, with one hook on each of both clusters.

const [managedFinalizer, hostingFinalizer] = ['addon-pre-delete', 'hosting-addon-pre-delete'].map(
  (name) => `addon.open-cluster-management.io/${name}`,
);
const hooksAnnotation = 'fleetwright.dev/pre-delete-hooks';
const hostingAnnotation = 'addon.open-cluster-management.io/hosting-cluster-name';
const managedHook = 'cluster1/addon-hello-pre-delete';
const hostingHook = 'host/addon-hello-pre-delete-hosting-cluster1';
const deployed = ['cluster1/addon-hello-deploy-0', ...hosted('host')];

/** The names of the works for a hosting cluster. */
function hosted(host: string): readonly string[] {
  return [0, 1].map((index) => `${host}/addon-hello-deploy-hosting-cluster1-${index}`);
}

let hub: HookHub;
beforeEach(async () => {
  hub = await HookHub.start('hello', 'cluster1');
});
afterEach(async () => {
  await hub.stop();
});

/** When Git wrote an object, as the API server records it for an annotation. */
function writtenAt(minute: number, annotation: string): object {
  return {
    managedFields: [
      {
        manager: 'git',
        operation: 'Apply',
        time: `2026-01-31T11:0${minute}:00Z`,
        fieldsV1: { 'f:metadata': { 'f:annotations': { [`f:${annotation}`]: {} } } },
      },
    ],
  };
}

/** Creates the works for a hosting cluster, as synth writes them. */
async function deliver(host: string, minute = 0): Promise<void> {
  for (const index of [0, 1]) {
    const work = storedWork({ name: `addon-hello-deploy-hosting-cluster1-${index}` });
    await hub.client.create(manifestWorks, {
      ...work,
      metadata: {
        ...work.metadata,
        namespace: host,
        labels: { ...work.metadata.labels, 'open-cluster-management.io/addon-namespace': 'cluster1' },
        annotations: {
          'fleetwright.dev/deleted-by': 'companion',
          ...(index === 0 && { [hooksAnnotation]: JSON.stringify([hook('Job', 'bye-host')]) }),
        },
        ...writtenAt(minute, 'fleetwright.dev/deleted-by'),
      },
    });
  }
}

/** @param managed whether a hook runs on the managed cluster, too */
async function install({
  managed = true,
  finalizers,
}: { managed?: boolean; finalizers?: readonly string[] } = {}) {
  for (const name of ['cluster1', 'host', 'host2']) {
    const cluster = storedCluster();
    await hub.client.create(managedClusters, { ...cluster, metadata: { ...cluster.metadata, name } });
  }
  const annotations = {
    'fleetwright.dev/delivery': 'compiled',
    [hostingAnnotation]: 'host',
    ...(managed && { [hooksAnnotation]: JSON.stringify([hook('Job', 'bye')]) }),
  };
  const onCluster = storedOnCluster({}, {}, annotations);
  await hub.client.create(managedClusterAddOns, {
    ...onCluster,
    metadata: {
      ...onCluster.metadata,
      ...(finalizers && { finalizers }),
      ...writtenAt(1, 'fleetwright.dev/delivery'),
    },
  });
  const uid = (await hub.addOn())?.metadata.uid ?? '';
  const owner = { apiVersion: onCluster.apiVersion, kind: 'ManagedClusterAddOn', name: 'hello', uid };
  const work = storedWork();
  await hub.client.create(manifestWorks, {
    ...work,
    metadata: { ...work.metadata, ownerReferences: [owner] },
  });
  await deliver('host');
  await hub.settle();
}

async function change(metadata: object): Promise<void> {
  await hub.client.merge(managedClusterAddOns, { name: 'hello', namespace: 'cluster1' }, { metadata });
}

const finalizersOf = async (): Promise<readonly string[] | undefined> =>
  (await hub.addOn())?.metadata.finalizers;

async function condition(): Promise<string> {
  const { status }: Partial<ManagedClusterAddOnV1alpha1> = (await hub.addOn()) ?? {};
  const completed = conditionOf(status?.conditions, 'HookManifestCompleted');
  return `${completed?.status} ${completed?.reason}: ${completed?.message}`;
}

/** Reports the hook of a work as complete, by `namespace/name`. */
async function complete(work: string, value?: 'JobFailed'): Promise<void> {
  const [namespace = '', name = ''] = work.split('/');
  await hub.report(namespace, name, value);
  await hub.settle();
}

test('both clusters run their hooks, and everything remains until both are complete', async () => {
  await install();
  expect(await finalizersOf()).toEqual([managedFinalizer, hostingFinalizer]);
  await hub.deleteAddOn();
  await hub.settle();
  expect(await hub.workNames()).toEqual([...deployed, managedHook, hostingHook].sort());
  expect(await condition()).toBe(
    'False HookManifestIsNotCompleted: hook manifestWorks addon-hello-pre-delete and addon-hello-pre-delete-hosting-cluster1 are not completed.',
  );
  await complete(managedHook);
  expect(await condition()).toBe(
    'False HookManifestIsNotCompleted: hook manifestWork addon-hello-pre-delete-hosting-cluster1 is not completed.',
  );
  expect(await hub.workNames()).toEqual([...deployed, managedHook, hostingHook].sort());
  await complete(hostingHook);
  expect(await hub.addOn()).toBeUndefined();
  expect(await hub.workNames()).toEqual([]);
});

test('the work on the hosting cluster has the content from there, no owner, and the uid of the add-on', async () => {
  await install({ managed: false });
  expect(await finalizersOf()).toEqual([hostingFinalizer]);
  await hub.deleteAddOn();
  await hub.settle();
  const work = (await hub.works()).find(({ metadata }) => metadata.name.includes('pre-delete'));
  expect(work?.spec?.workload?.manifests).toEqual([hook('Job', 'bye-host')]);
  expect(work?.metadata).toMatchObject({
    labels: {
      'open-cluster-management.io/addon-name': 'hello',
      'open-cluster-management.io/addon-namespace': 'cluster1',
    },
    annotations: { 'fleetwright.dev/add-on-uid': (await hub.addOn())?.metadata.uid },
  });
  expect(work?.metadata.ownerReferences).toBeUndefined();
});

test('a hook that fails on the hosting cluster runs again', async () => {
  await install({ managed: false });
  await hub.deleteAddOn();
  await hub.settle();
  await complete(hostingHook, 'JobFailed');
  expect(await condition()).toBe(
    'False HookFailed: hook manifestWork addon-hello-pre-delete-hosting-cluster1 is not completed: Job agents/bye-host failed, and is run again.',
  );
  const uid = async (): Promise<string | undefined> =>
    (await hub.works()).find(({ metadata }) => metadata.name.includes('pre-delete'))?.metadata.uid;
  const first = await uid();
  hub.now += 86_400_000;
  await hub.settle({ hookDeadline: 864_000_000 });
  expect(await uid()).not.toBe(first);
  await complete(hostingHook);
  expect(await hub.workNames()).toEqual([]);
});

test('a companion that may give up deletes what remains on the hosting cluster', async () => {
  await install({ managed: false });
  await hub.deleteAddOn();
  await hub.settle();
  hub.now += 3_600_000;
  await hub.settle();
  expect(await condition()).toContain('HookDeadlineExceeded');
  await hub.settle({ hookGiveUp: true });
  expect(await hub.addOn()).toBeUndefined();
  expect(await hub.workNames()).toEqual([]);
});

test.each<[string, () => Promise<unknown>, string]>([
  [
    'is gone',
    async () => await hub.client.delete(managedClusters, { name: 'host' }),
    'the hub does not have hosting cluster host',
  ],
  [
    'is being deleted',
    async () =>
      await hub.client.merge(
        managedClusters,
        { name: 'host' },
        { metadata: { deletionTimestamp: '2026-01-31T12:00:00Z' } },
      ),
    'hosting cluster host is being deleted',
  ],
  [
    'no longer hosts it',
    async () => await change({ annotations: { [hostingAnnotation]: null } }),
    'the add-on is not in hosted mode any more',
  ],
])(
  'hooks on a hosting cluster that %s are not run, but those on the managed cluster',
  async (_, cause, why) => {
    await install();
    await hub.deleteAddOn();
    await hub.settle();
    await cause();
    await hub.settle();
    expect(await finalizersOf()).toEqual([managedFinalizer]);
    expect(await hub.workNames()).toEqual(['cluster1/addon-hello-deploy-0', managedHook]);
    expect(await hub.events()).toEqual([
      `HookNotRun: the pre-delete hooks on the hosting cluster are not run: ${why}`,
    ]);
    await complete(managedHook);
    expect(await hub.workNames()).toEqual([]);
  },
);

test('those who may write the ManagedClusterAddOn run nothing on another cluster', async () => {
  await install({ managed: false });
  const hooks = JSON.stringify([hook('Job', 'evil')]);
  await change({ annotations: { [hostingAnnotation]: 'host2', [hooksAnnotation]: hooks } });
  await hub.settle();
  await hub.deleteAddOn();
  await hub.settle();
  expect((await hub.workNames()).filter((name) => name.startsWith('host2/'))).toEqual([]);
  expect((await hub.workNames()).filter((name) => name.includes('pre-delete'))).toEqual([managedHook]);
});

test('works remain on a hosting cluster as long as Git may still be about to name it', async () => {
  await install({ managed: false });
  await deliver('host2', 1);
  await hub.settle();
  expect(await hub.workNames()).toEqual([...deployed, ...hosted('host2')].sort());
  await change({
    annotations: { [hostingAnnotation]: 'host2' },
    ...writtenAt(2, 'fleetwright.dev/delivery'),
  });
  await hub.settle();
  expect(await hub.workNames()).toEqual(['cluster1/addon-hello-deploy-0', ...hosted('host2')]);
  expect(await finalizersOf()).toEqual([hostingFinalizer]);
});

test('an add-on that is no longer hosted, or has no hooks any more, waits for none', async () => {
  await install();
  await change({
    annotations: { [hostingAnnotation]: null, [hooksAnnotation]: null },
    ...writtenAt(2, 'fleetwright.dev/delivery'),
  });
  await hub.settle();
  expect(await finalizersOf()).toEqual([]);
  expect(await hub.workNames()).toEqual(['cluster1/addon-hello-deploy-0']);
  await hub.deleteAddOn();
  expect(await hub.workNames()).toEqual([]);
  expect(await hub.events()).toEqual([]);
});

test('a work of hooks is deleted once nothing waits for it any more', async () => {
  await install({ managed: false });
  await hub.deleteAddOn();
  await hub.settle();
  // Somebody removes the finalizer.
  await change({ finalizers: [] });
  await hub.settle();
  expect(await hub.workNames()).toEqual(hosted('host'));
});

test('a work under the name of the hooks that somebody else created is reported, and left alone', async () => {
  await install({ managed: false });
  const [namespace = '', name = ''] = hostingHook.split('/');
  const foreign = storedWork({ name });
  await hub.client.create(manifestWorks, {
    ...foreign,
    metadata: {
      ...foreign.metadata,
      namespace,
      labels: { ...foreign.metadata.labels, 'open-cluster-management.io/addon-namespace': 'cluster1' },
    },
  });
  await hub.deleteAddOn();
  await hub.settle();
  expect(await condition()).toBe(
    `False HookFailed: hook manifestWork ${name} is not completed: the companion did not create ${hostingHook}: delete it.`,
  );
  await hub.client.delete(manifestWorks, { namespace, name });
  await hub.settle();
  await complete(hostingHook);
  expect(await hub.workNames()).toEqual([]);
});

test('a companion that runs no hooks lets the add-on go, and names the works that remain', async () => {
  await install({ managed: false });
  await hub.deleteAddOn();
  await hub.settle({ preDeleteHooks: false });
  expect(await hub.addOn()).toBeUndefined();
  expect(await hub.workNames()).toEqual(hosted('host'));
  expect(await hub.events()).toEqual([
    `HookNotRun: the pre-delete hooks on the hosting cluster are not run: the companion runs none (preDeleteHooks), and these works remain: ${hosted('host').join(', ')}`,
  ]);
});
