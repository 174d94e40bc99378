import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { ApiClient } from './client/api-client.ts';
import { connect, type Hub } from './client/hub.ts';
import { ocmKinds, reference, type KindOf } from './client/kinds.ts';
import { readAccess } from './client/kubeconfig.ts';
import { addOnCondition } from './companion/add-on-condition.ts';
import { confinedKubeconfig } from './companion/confined-companion.ts';
import { everywhere, fleetOf } from './companion/deployed-add-on.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';
import { synthesized } from './companion/synthesized.ts';
import { until } from './companion/work-agent.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';

// Pre-delete hooks with compiled delivery: the companion creates their work, and OCM's own work agent applies it. Nothing runs Jobs
// on the managed cluster, so the tests write their statuses.

const cluster = 'cluster1';
const finalizer = 'addon.open-cluster-management.io/addon-pre-delete';
const jobKind: KindOf = ['batch/v1', 'Job'];
const configMapKind: KindOf = ['v1', 'ConfigMap'];
const eventKind: KindOf = ['v1', 'Event'];
const patience = { timeout: 120_000, interval: 250 };

let running: RunningHub;
let hub: Hub;
let onCluster: ApiClient;
let confined: string;
let companion: RunningCompanion;

beforeAll(async () => {
  running = await startHub({ managedCluster: cluster });
  hub = connect(running);
  onCluster = new ApiClient(readAccess(running.managedCluster?.kubeconfig ?? ''));
  confined = await confinedKubeconfig(hub.client, running.kubeconfig, 'companion', { preDeleteHooks: true });
  companion = begin();
}, 300_000);
afterAll(async () => {
  await companion.stop();
  onCluster.close();
  hub.close();
  await running.stop();
}, 60_000);

function begin(flags: Readonly<Record<string, unknown>> = {}): RunningCompanion {
  return startCompanion(confined, { preDeleteHooks: true, ...flags });
}

/** An add-on with a ConfigMap that stays, and a Job that runs before it is removed, both of the add-on's name. */
function hooked(
  name: string,
  annotations: Readonly<Record<string, string>>,
  install: 'Placements' | 'Manual' = 'Placements',
): readonly object[] {
  const placements = [{ name: 'everywhere', namespace: 'add-ons' }];
  const job = {
    ...reference(jobKind, name, 'default'),
    spec: {
      backoffLimit: 0,
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: 'bye', image: 'example.com/bye:1' }] },
      },
    },
  };
  const hook = { ...job, metadata: { ...job.metadata, annotations: { [finalizer]: '' } } };
  return [
    {
      ...reference(ocmKinds.addOnTemplate, name),
      spec: {
        addonName: name,
        agentSpec: { workload: { manifests: [reference(configMapKind, name, 'default'), hook] } },
      },
    },
    {
      ...reference(ocmKinds.clusterManagementAddOn, name),
      metadata: { name, annotations },
      spec: {
        supportedConfigs: [
          {
            group: 'addon.open-cluster-management.io',
            resource: 'addontemplates',
            defaultConfig: { name },
          },
        ],
        installStrategy: { type: install, ...(install === 'Placements' ? { placements } : {}) },
      },
    },
  ];
}

const compiled = { 'fleetwright.dev/delivery': 'compiled', 'fleetwright.dev/pre-delete-hooks': 'run' };

const addOn = async (name: string): Promise<KubernetesObject | undefined> =>
  await hub.client.get(...ocmKinds.managedClusterAddOn, name, cluster);
const hookWork = async (name: string): Promise<KubernetesObject | undefined> =>
  await hub.client.get(...ocmKinds.manifestWork, `addon-${name}-pre-delete`, cluster);
const job = async (name: string): Promise<KubernetesObject | undefined> =>
  await onCluster.get(...jobKind, name, 'default');
const settings = async (name: string): Promise<KubernetesObject | undefined> =>
  await onCluster.get(...configMapKind, name, 'default');

/** Installs an add-on, and waits until its works are applied and its deletion would wait. */
async function install(name: string): Promise<void> {
  for (const object of await synthesized([...everywhere, ...hooked(name, compiled)], fleetOf(cluster)))
    await hub.client.apply(object);
  await until(() => settings(name));
  await expect.poll(async () => (await addOn(name))?.metadata.finalizers, patience).toEqual([finalizer]);
  await expect
    .poll(
      async () => await hub.client.get(...ocmKinds.manifestWork, `addon-${name}-deploy-0`, cluster),
      patience,
    )
    .toMatchObject({ metadata: { ownerReferences: [{ kind: 'ManagedClusterAddOn', name }] } });
}

async function uninstall(name: string): Promise<void> {
  await hub.client.delete(reference(ocmKinds.managedClusterAddOn, name, cluster));
}

/** Reports the end of a Job as Kubernetes' Job controller does. */
async function end(name: string, conditions: readonly string[], counts: object): Promise<void> {
  const time = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  await onCluster.merge(
    reference(jobKind, name, 'default'),
    {
      status: {
        startTime: time,
        ...counts,
        conditions: conditions.map((type) => ({
          type,
          status: 'True',
          lastProbeTime: time,
          lastTransitionTime: time,
          reason: 'Reported',
          message: 'as reported',
        })),
      },
    },
    'status',
  );
}

async function complete(name: string): Promise<void> {
  const completionTime = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  await end(name, ['SuccessCriteriaMet', 'Complete'], { completionTime, succeeded: 1 });
}

async function expectCondition(name: string, reason: string, message: string): Promise<void> {
  await expect
    .poll(async () => await addOnCondition(hub.client, name, cluster, 'HookManifestCompleted'), patience)
    .toMatchObject({ status: 'False', reason, message });
}

async function deadlineMessages(): Promise<unknown[]> {
  const events = await hub.client.list(...eventKind, cluster);
  return events
    .filter((event) => event['reason'] === 'HookDeadlineExceeded')
    .map((event) => event['message']);
}

async function expectGone(name: string): Promise<void> {
  await expect.poll(async () => await addOn(name), patience).toBeUndefined();
  await expect.poll(async () => await settings(name), patience).toBeUndefined();
  await expect.poll(async () => await hookWork(name), patience).toBeUndefined();
  await expect.poll(async () => await job(name), patience).toBeUndefined();
}

test('hooks run before the works go, also if another companion continues, and nothing of the add-on is left', async () => {
  await install('ends');
  // As Argo CD and Flux: the definition and the template go together with everything else.
  await hub.client.delete(reference(ocmKinds.clusterManagementAddOn, 'ends'));
  await hub.client.delete(reference(ocmKinds.addOnTemplate, 'ends'));
  await uninstall('ends');
  await until(() => job('ends'));
  await companion.stop();
  expect(await settings('ends')).toBeDefined();
  await complete('ends');
  companion = begin();
  await expectGone('ends');
});

test('the work of hooks is the one that the hub would create, with one more reported value', async () => {
  await install('same');
  // Without placements, so that the hub does not install it again.
  for (const object of [
    ...hooked('same-hub', {}, 'Manual'),
    { ...reference(ocmKinds.managedClusterAddOn, 'same-hub', cluster), spec: {} },
  ])
    await hub.client.apply(object as KubernetesObject);
  await until(() => settings('same-hub'));
  for (const name of ['same', 'same-hub']) await uninstall(name);
  const [ours, theirs] = await Promise.all(['same', 'same-hub'].map((name) => until(() => hookWork(name))));
  const content = ({ metadata, spec }: KubernetesObject): unknown => {
    const { name, namespace, labels, ownerReferences = [] } = metadata;
    const owners = ownerReferences.map(({ uid: _uid, apiVersion: _version, ...owner }) => owner);
    return { name, namespace, labels, owners, spec };
  };
  const failed = {
    type: 'JSONPaths',
    jsonPaths: [{ name: 'JobFailed', path: '.status.conditions[?(@.type=="Failed")].status' }],
  };
  const expected = JSON.stringify(content(theirs as KubernetesObject))
    .replaceAll('same-hub', 'same')
    .replace('{"type":"WellKnownStatus"}', `{"type":"WellKnownStatus"},${JSON.stringify(failed)}`);
  expect(content(ours as KubernetesObject)).toEqual(JSON.parse(expected));
  for (const name of ['same', 'same-hub']) {
    await until(() => job(name));
    await complete(name);
  }
  for (const name of ['same', 'same-hub']) await expectGone(name);
});

test('a hook that fails runs again until it is complete', async () => {
  await install('fails');
  await uninstall('fails');
  const first = await until(() => job('fails'));
  await end('fails', ['FailureTarget', 'Failed'], { failed: 1 });
  await expectCondition(
    'fails',
    'HookFailed',
    'hook manifestWork addon-fails-pre-delete is not completed: Job default/fails failed, and is run again.',
  );
  const second = await until(async () => {
    const again = await job('fails');
    return again?.metadata.uid === first.metadata.uid ? undefined : again;
  });
  expect(second.metadata.uid).not.toBe(first.metadata.uid);
  expect(await settings('fails')).toBeDefined();
  await complete('fails');
  await expectGone('fails');
});

test('after the deadline the add-on waits and says so, unless the companion may give up', async () => {
  await install('hangs');
  await companion.stop();
  companion = begin({ hookDeadline: '10s' });
  await uninstall('hangs');
  const message = 'hook manifestWork addon-hangs-pre-delete is not completed within 10s.';
  await expectCondition('hangs', 'HookDeadlineExceeded', message);
  // The companion writes the Event after the condition.
  await expect.poll(deadlineMessages, patience).toEqual([message]);
  expect(await settings('hangs')).toBeDefined();
  await companion.stop();
  companion = begin({ hookDeadline: '10s', hookGiveUp: true });
  await expectGone('hangs');
  await companion.stop();
  companion = begin();
});

test('hooks of a cluster that is not reached wait for it', async () => {
  await install('silent');
  await running.cause('stop-managed-cluster');
  await uninstall('silent');
  await until(() => hookWork('silent'));
  await running.cause('start-managed-cluster');
  await until(() => job('silent'));
  expect(await settings('silent')).toBeDefined();
  await complete('silent');
  await expectGone('silent');
});

test('a companion that no longer runs hooks lets add-ons go', async () => {
  await install('off');
  await companion.stop();
  companion = begin({ preDeleteHooks: false });
  await uninstall('off');
  await expectGone('off');
  expect(companion.log.lines.join('\n')).not.toContain('error');
});

test('a cluster that is deleted waits for the hooks of its add-ons', async () => {
  await companion.stop();
  companion = begin();
  await install('detached');
  await hub.client.delete(reference(ocmKinds.managedCluster, cluster));
  await until(() => job('detached'));
  expect(await settings('detached')).toBeDefined();
  await complete('detached');
  await expectGone('detached');
  await expect
    .poll(async () => await hub.client.get(...ocmKinds.managedCluster, cluster), patience)
    .toBeUndefined();
});
