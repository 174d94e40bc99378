import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plan } from '../../src/compiler/plan/plan.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { resolveText } from '../resolve-text.ts';
import { connect } from './client/hub.ts';
import { namespaceKind, ocmKinds, reference } from './client/kinds.ts';
import { sharedHub } from './client/shared-hub.ts';
import { conditionIn } from './companion/add-on-condition.ts';
import { until } from './companion/work-agent.ts';

// Add-ons that the hub delivers, whose template has a pre-delete hook. The cluster is an object only.
const hub = connect(await sharedHub());
const cluster = 'hooked-cluster';
const finalizer = 'addon.open-cluster-management.io/addon-pre-delete';
const patience = { timeout: 60_000, interval: 100 };
const names = ['hooked-agent', 'hooked-orphan'] as const;

const managedCluster = {
  ...reference(ocmKinds.managedCluster, cluster),
  spec: { hubAcceptsClient: true, leaseDurationSeconds: 3600 },
};

function objectsOf(name: string): readonly [template: object, addOn: object, onCluster: object] {
  const hook = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'bye', namespace: 'default', annotations: { [finalizer]: '' } },
    spec: {
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: 'bye', image: 'example.com/bye:1' }] },
      },
    },
  };
  const settings = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings', namespace: 'default' },
  };
  return [
    {
      ...reference(ocmKinds.addOnTemplate, name),
      spec: { addonName: name, agentSpec: { workload: { manifests: [settings, hook] } } },
    },
    {
      ...reference(ocmKinds.clusterManagementAddOn, name),
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
    { ...reference(ocmKinds.managedClusterAddOn, name, cluster), spec: {} },
  ];
}

const onCluster = async (name: string): Promise<KubernetesObject | undefined> =>
  await hub.client.get(...ocmKinds.managedClusterAddOn, name, cluster);

async function hasFinalizer(name: string): Promise<boolean> {
  const { finalizers = [] } = ((await onCluster(name))?.metadata ?? {}) as {
    readonly finalizers?: readonly string[];
  };
  return finalizers.includes(finalizer);
}

const hookWork = async (name: string): Promise<KubernetesObject | undefined> =>
  await hub.client.get(...ocmKinds.manifestWork, `addon-${name}-pre-delete`, cluster);

/** The codes and messages of the plan that removes some of the objects of an add-on. */
function planned(name: string, isRemoved: (object: object) => boolean): readonly string[] {
  const before = [managedCluster, ...objectsOf(name)];
  const [base, head] = [before, before.filter((object) => !isRemoved(object))].map(
    (objects) => resolveText(objects.map((object) => JSON.stringify(object)).join('\n---\n')).resolution,
  );
  if (base === undefined || head === undefined) throw new Error('two states');
  const { diagnostics } = plan([{ app: 'hello', base, head }], { hub: hubVersion('1.3'), by: [] });
  return diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

beforeAll(async () => {
  await hub.client.apply(managedCluster);
  await until(() => hub.client.get(...namespaceKind, cluster));
  for (const name of names)
    for (const object of objectsOf(name)) await hub.client.apply(object as KubernetesObject);
  // The hub adds the finalizer before it creates works.
  for (const name of names) await until(async () => (await hasFinalizer(name)) || undefined);
}, 120_000);
afterAll(async () => {
  for (const name of names)
    for (const object of objectsOf(name).toReversed()) await hub.client.delete(object as KubernetesObject);
  await hub.client.delete(managedCluster);
  hub.close();
}, 120_000);

test('the hub deletes an add-on with a hook when the Job is complete, as the plan warns', async () => {
  const [name] = names;
  const [, , placed] = objectsOf(name);
  expect(planned(name, (object) => (object as KubernetesObject).kind === 'ManagedClusterAddOn')).toEqual([
    `FW6046: uninstalling add-on "${name}" from 1 cluster waits for pre-delete hook Job default/bye`,
  ]);
  await hub.client.delete(placed as KubernetesObject);
  const work = await until(() => hookWork(name));
  expect(conditionIn((await onCluster(name))?.['status'], 'HookManifestCompleted')?.status).not.toBe('True');
  const time = { lastTransitionTime: '2026-11-21T00:00:00Z', reason: 'Reported', message: 'reported' };
  const job = {
    group: 'batch',
    version: 'v1',
    kind: 'Job',
    resource: 'jobs',
    name: 'bye',
    namespace: 'default',
  };
  await hub.client.merge(
    work,
    {
      status: {
        conditions: ['Applied', 'Available'].map((type) => ({ type, status: 'True', ...time })),
        resourceStatus: {
          manifests: [
            {
              conditions: [],
              resourceMeta: { ordinal: 0, ...job },
              statusFeedback: {
                values: [{ name: 'JobComplete', fieldValue: { type: 'String', string: 'True' } }],
              },
            },
          ],
        },
      },
    },
    'status',
  );
  await expect.poll(async () => await onCluster(name), patience).toBeUndefined();
});

test('an add-on whose template is deleted first is never deleted, as the plan warns', async () => {
  const [, name] = names;
  const [template, , placed] = objectsOf(name);
  const removed = new Set(['ManagedClusterAddOn', 'ClusterManagementAddOn', 'AddOnTemplate']);
  expect(planned(name, (object) => removed.has((object as KubernetesObject).kind))).toEqual([
    `FW6046: uninstalling add-on "${name}" from 1 cluster waits for pre-delete hook Job default/bye. The change also removes the AddOnTemplate: if it is deleted before the hooks are complete, the hub cannot render the hooks, and never deletes the ManagedClusterAddOns`,
  ]);
  await hub.client.delete(template as KubernetesObject);
  await hub.client.delete(placed as KubernetesObject);
  await delay(10_000);
  expect(await hookWork(name)).toBeUndefined();
  expect(await onCluster(name)).toMatchObject({
    metadata: { deletionTimestamp: expect.any(String) as string, finalizers: [finalizer] },
  });
  // With the template, the hub continues.
  await hub.client.apply(template as KubernetesObject);
  await until(() => hookWork(name));
  await hub.client.merge(placed as KubernetesObject, { metadata: { finalizers: null } });
});
