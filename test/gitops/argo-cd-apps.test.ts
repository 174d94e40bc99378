import { cpSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { committed, emitted } from '../hub/apply/emitted.ts';
import { isOfKind, ocmKinds } from '../hub/client/kinds.ts';
import { startCompanion, type RunningCompanion } from '../hub/companion/running-companion.ts';
import { apps, parseObjects, root } from './emitted-objects.ts';
import { follow } from './engines/argo-cd/guide.ts';
import { useStage } from './engines/argo-cd/stage.ts';
import { created, synced, type Operation } from './engines/argo-cd/story.ts';
import { eventually } from './engines/eventually.ts';
import { serveForeignKinds } from './engines/foreign-kinds.ts';
import { block, inStory, page, shellSteps } from './engines/guide.ts';

// dist/ as it is committed, on a real hub with Argo CD.

/** How long Argo CD is to do nothing where nothing changes, in milliseconds. It compares every three minutes at the latest. */
const restTime = 180_000;
/** Bound on the first sync of all apps at the same time on a loaded machine, in milliseconds. */
const syncTime = 600_000;

// The clusters of dist/ are all played: cluster1 is one of them.
const stage = useStage({ cluster: 'elsewhere' });

let companion: RunningCompanion;
let joining: { stop(): void };
beforeAll(() => {
  companion = startCompanion(stage.hub.kubeconfig);
  joining = joinClusters();
});
afterAll(async () => {
  joining.stop();
  await companion.stop();
});

/** Adds the clusters of the apps' fleets to the hub, with their labels and claims. */
async function addFleet(fleet: readonly KubernetesObject[]): Promise<void> {
  const clusters = fleet.filter((object) => isOfKind(object, ocmKinds.managedCluster)) as readonly Cluster[];
  await stage.hub.addClusters(
    Object.fromEntries(clusters.map(({ metadata: { name = '', labels = {} } }) => [name, labels])),
  );
  for (const cluster of clusters) {
    const { clusterClaims = [] } = cluster.status ?? {};
    await stage.hub.client.merge(cluster, { status: { clusterClaims } }, 'status');
  }
}

interface Cluster extends KubernetesObject {
  readonly spec?: { readonly hubAcceptsClient?: boolean };
  readonly status?: {
    readonly clusterClaims?: readonly object[];
    readonly conditions?: readonly { readonly type: string }[];
  };
}

/**
 * Lets every cluster that the hub accepted join, report, and renew its Lease, as its registration agent does. Without the Lease, the
 * hub taints a cluster after five minutes, and Argo CD removes the taint from clusters whose taints are in Git.
 */
function joinClusters(): { stop(): void } {
  const end = new AbortController();
  const accepted = new Set<string>();
  const renewal = setInterval(() => {
    for (const namespace of accepted) {
      const lease = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'managed-cluster-lease', namespace },
        spec: { leaseDurationSeconds: 60, renewTime: new Date().toISOString().replace('Z', '000Z') },
      };
      // The hub may be creating or deleting the namespace.
      void stage.hub.client.apply(lease).catch(() => undefined);
    }
  }, 60_000);
  const onEvent = ({ object }: { readonly object: KubernetesObject }): void => {
    const { spec, status, metadata } = object as Cluster;
    const { conditions = [] } = status ?? {};
    const isAccepted = conditions.some(({ type }) => type === 'HubAcceptedManagedCluster');
    const hasJoined = conditions.some(({ type }) => type === 'ManagedClusterJoined');
    if (spec?.hubAcceptsClient !== true || !isAccepted) return;
    accepted.add(metadata.name ?? '');
    if (hasJoined) return;
    const joined = ['ManagedClusterJoined', 'ManagedClusterConditionAvailable'].map((type) => ({
      type,
      status: 'True',
      reason: 'Reported',
      message: '',
      lastTransitionTime: new Date().toISOString(),
    }));
    const before = conditions.filter(({ type }) => type !== 'ManagedClusterConditionAvailable');
    const { resourceVersion } = metadata as { readonly resourceVersion?: string };
    const patch = { metadata: { resourceVersion }, status: { conditions: [...before, ...joined] } };
    void stage.hub.client.merge(object, patch, 'status').catch(unlessConflict);
  };
  const follow = async (): Promise<void> => {
    const [apiVersion, kind] = ocmKinds.managedCluster;
    while (!end.signal.aborted) await stage.hub.client.watch(apiVersion, kind, onEvent, end.signal);
  };
  void follow();
  return {
    stop: () => {
      clearInterval(renewal);
      end.abort();
    },
  };
}

/** Another write in between is followed by another event. */
function unlessConflict(error: unknown): void {
  if (!/: 409 /.test(String(error))) throw error;
}

/** The objects of an app that Argo CD corrected after the first sync, and that somebody had changed. */
async function changedByOthers(app: string): Promise<readonly string[]> {
  const selfHealed = new Set((await stage.operations.of(app)).flatMap(({ selfHealed = [] }) => selfHealed));
  const changed: string[] = [];
  for (const { apiVersion, kind, metadata } of committed(app)) {
    const { name = '', namespace } = metadata;
    if (!selfHealed.has(`${kind} ${name}`)) continue;
    const onHub = await stage.hub.client.get(apiVersion, kind, name, namespace);
    // On a loaded machine Argo CD does not see an object for some seconds, and applies it again as it is.
    if (onHub?.metadata.generation !== 1) changed.push(`${kind} ${name}`);
  }
  return changed;
}

test('the first commit of the apps of dist/ is synced once, by the guide, and nothing is synced afterwards', async () => {
  const repository = stage.git.create('dist');
  cpSync(path.join(root, 'dist'), path.join(repository.folder, 'dist'), { recursive: true });
  const commit = repository.commit('Add-ons of the hub');
  const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;
  const fleet: KubernetesObject[] = [];
  for (const app of apps) fleet.push(...(await emitted(app, target)).fleet);
  await addFleet(fleet);
  await serveForeignKinds(stage.hub, apps.flatMap(committed));

  const guide = page('gitops.md');
  await follow(stage, shellSteps(guide, 'Health'), root, { 'node_modules/fleetwright/': '' });
  const applicationSet = inStory(block(guide, 'Argo CD', 'yaml'), {
    'https://git.example.com/platform/add-ons.git': repository.url,
  });
  for (const object of parseObjects(applicationSet)) await stage.hub.client.apply(object);
  for (const app of apps) await created(stage, app);
  await Promise.all(apps.map((app) => synced(stage.argoCd, app, commit, syncTime)));
  const all = (): Promise<readonly (readonly Operation[])[]> =>
    Promise.all(apps.map((app) => stage.operations.of(app)));
  const isAtRest = async (): Promise<boolean> => {
    const before = JSON.stringify(await all());
    await delay(restTime);
    return JSON.stringify(await all()) === before;
  };
  await eventually('no Application is synced', isAtRest, 3 * restTime);

  const changed: string[] = [];
  for (const app of apps) {
    const { status } = await stage.argoCd.application(app);
    const operations = await stage.operations.of(app);
    // The health is that of the agents, of which some cannot run here.
    process.stdout.write(`  ${app}: ${status?.health?.status ?? ''}\n`);
    expect(status?.conditions ?? []).toEqual([]);
    const whole = operations.filter(({ selfHealed }) => selfHealed === undefined);
    expect(whole.map(({ phase }) => `${app}: ${phase}`)).toEqual([`${app}: Succeeded`]);
    changed.push(...(await changedByOthers(app)));
  }
  expect(changed).toEqual([]);
}, 1_800_000);
