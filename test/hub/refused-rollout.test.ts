import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { run } from '../../src/cli/run.ts';
import type { Plan } from '../../src/compiler/index.ts';
import { ApiClient } from './client/api-client.ts';
import { connect, type Hub } from './client/hub.ts';
import { readAccess } from './client/kubeconfig.ts';
import { namespaceKind, ocmKinds, reference } from './client/kinds.ts';
import { made } from './differential/fleet.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';

// OCM's own agents on two clusters whose API servers refuse a change, which is rolled out to one cluster at a time.

const patience = { timeout: 120_000, interval: 500 };
/** The hub would start the second cluster within a second. */
const longEnough = 10_000;
const group = 'addon.open-cluster-management.io';

let running: RunningHub;
let hub: Hub;
let folder: string;
beforeAll(async () => {
  running = await startHub({ managedCluster: 'cluster1,cluster2', defaultReports: true });
  hub = connect(running);
  folder = mkdtempSync(path.join(os.tmpdir(), 'fleetwright-refused-'));
  for (const { kubeconfig } of running.managedClusters ?? []) {
    const cluster = new ApiClient(readAccess(kubeconfig));
    await cluster.apply(reference(namespaceKind, 'agents'));
    cluster.close();
  }
}, 300_000);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  hub.close();
  await running.stop();
});

test(
  'a rollout stops at the cluster that refuses the change, as the plan says',
  { timeout: 400_000 },
  async () => {
    await applyAll([...fleet, ...addOn('one')]);
    for (const cluster of ['cluster1', 'cluster2'])
      await expect.poll(async () => await selectorOf(cluster), patience).toBe('one');
    await expect.poll(async () => await progressOf('cluster2'), patience).toBe('Completed');

    const { rollout, groups } = await planned();
    expect(groups[0]?.answers).toMatchObject([{ kind: 'refused', clusters: 2 }]);
    expect(rollout.waves.map(({ clusters }) => clusters)).toEqual([['cluster1']]);
    expect(rollout.stops).toEqual([
      {
        wave: 1,
        message: 'waits for "cluster1", which refuses the change, and there is no progressDeadline',
        left: ['cluster2'],
      },
    ]);

    await applyAll(addOn('two'));
    await expect.poll(async () => await appliedOn('cluster1'), patience).toBe('AppliedManifestWorkFailed');
    await delay(longEnough);
    expect([await selectorOf('cluster1'), await selectorOf('cluster2')]).toEqual(['two', 'one']);
    expect(await progressOf('cluster1')).toBe('Progressing');
  },
);

const fleet: readonly KubernetesObject[] = [
  made(ocmKinds.managedClusterSetBinding, 'global', 'default', { spec: { clusterSet: 'global' } }),
  made(ocmKinds.placement, 'all', 'default', { spec: { clusterSets: ['global'] } }),
];

/** The add-on with a Deployment whose selector no API server changes. */
function addOn(selector: string): readonly KubernetesObject[] {
  const labels = { app: selector };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'agent', namespace: 'agents' },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'agent', image: 'agent' }] } },
    },
  };
  return [
    made(ocmKinds.addOnTemplate, `agent-${selector}`, undefined, {
      spec: { addonName: 'agent', agentSpec: { workload: { manifests: [deployment] } } },
    }),
    made(ocmKinds.clusterManagementAddOn, 'agent', undefined, {
      metadata: { name: 'agent', annotations: { [`${group}/lifecycle`]: 'addon-manager' } },
      spec: {
        supportedConfigs: [{ group, resource: 'addontemplates' }],
        installStrategy: {
          type: 'Placements',
          placements: [
            {
              name: 'all',
              namespace: 'default',
              configs: [{ group, resource: 'addontemplates', name: `agent-${selector}` }],
              rolloutStrategy: { type: 'Progressive', progressive: { maxConcurrency: 1 } },
            },
          ],
        },
      },
    }),
  ];
}

async function applyAll(objects: readonly KubernetesObject[]): Promise<void> {
  for (const object of objects) await hub.client.apply(object);
}

/** The plan of the change, on the clusters of the hub. */
async function planned(): Promise<Plan['addOns'][number]> {
  const clusters = (await hub.client.list(...ocmKinds.managedCluster)).map((object) => ({
    ...reference(ocmKinds.managedCluster, object.metadata.name ?? ''),
    ...object,
  }));
  const set = {
    ...reference(ocmKinds.managedClusterSet, 'global'),
    spec: { clusterSelector: { selectorType: 'LabelSelector', labelSelector: {} } },
  };
  for (const [state, selector] of Object.entries({ before: 'one', after: 'two' })) {
    mkdirSync(path.join(folder, state));
    const objects = [...clusters, set, ...fleet, ...addOn(selector)];
    writeFileSync(
      path.join(folder, state, 'app.yaml'),
      objects.map((each) => JSON.stringify(each)).join('\n---\n'),
    );
  }
  const printed: string[] = [];
  await run(['plan', 'before', 'after', '-o', 'json'], {
    cwd: folder,
    now: () => Date.now(),
    readInput: async () => Buffer.from(''),
    out: (text) => printed.push(text),
    err: () => undefined,
    color: false,
  });
  const [only] = (JSON.parse(printed.join('')) as Plan).addOns;
  if (only === undefined) throw new Error(`no add-on in the plan: ${printed.join('')}`);
  return only;
}

interface Conditions {
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
  }[];
}

async function workOf(cluster: string): Promise<KubernetesObject | undefined> {
  const works = await hub.client.list(...ocmKinds.manifestWork);
  return works.find(
    ({ metadata }) => metadata.namespace === cluster && metadata.name?.startsWith('addon-agent-'),
  );
}

/** The selector that the hub has written into the work of a cluster. */
async function selectorOf(cluster: string): Promise<string | undefined> {
  return /"matchLabels":\{"app":"(\w+)"/.exec(JSON.stringify((await workOf(cluster))?.['spec'] ?? ''))?.[1];
}

async function appliedOn(cluster: string): Promise<string | undefined> {
  const { conditions = [] } = ((await workOf(cluster))?.status ?? {}) as Conditions;
  return conditions.find(({ type, status }) => type === 'Applied' && status === 'False')?.reason;
}

async function progressOf(cluster: string): Promise<string | undefined> {
  const object = await hub.client.get(...ocmKinds.managedClusterAddOn, 'agent', cluster);
  const { conditions = [] } = (object?.status ?? {}) as Conditions;
  return conditions.find(({ type }) => type === 'Progressing')?.reason;
}
