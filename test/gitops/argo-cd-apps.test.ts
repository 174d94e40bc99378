import { cpSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { hubVersion } from '../../compiler/hub-version.ts';
import type { KubernetesObject } from '../../schemas/object-meta.ts';
import { committed, emitted } from '../hub/apply/emitted.ts';
import { ocmKinds } from '../hub/client/kinds.ts';
import { apps as allApps, root } from './emitted-objects.ts';
import { useStage } from './engines/argo-cd/stage.ts';
import { applyApplication, synced } from './engines/argo-cd/story.ts';
import { serveForeignKinds } from './engines/foreign-kinds.ts';

// dist/ as it is committed, on a real hub with Argo CD. A sync of compiled delivery lasts until all agents report, and nobody
// runs them here. The hub deletes helloworld's override for a cluster without claims, and cluster1 reports none.
const apps = allApps.filter((app) => app !== 'shop-beacon' && app !== 'helloworld');

const stage = useStage();

interface Cluster extends KubernetesObject {
  readonly spec?: { readonly hubAcceptsClient?: boolean };
  readonly status?: { readonly conditions?: readonly { readonly type: string }[] };
}

/** Lets every cluster that the hub accepted join and report, as its registration agent does. */
function joinClusters(): { stop(): void } {
  const end = new AbortController();
  const onEvent = ({ object }: { readonly object: KubernetesObject }): void => {
    const { spec, status, metadata } = object as Cluster;
    const { conditions = [] } = status ?? {};
    const isAccepted = conditions.some(({ type }) => type === 'HubAcceptedManagedCluster');
    const hasJoined = conditions.some(({ type }) => type === 'ManagedClusterJoined');
    if (spec?.hubAcceptsClient !== true || !isAccepted || hasJoined) return;
    const joined = ['ManagedClusterJoined', 'ManagedClusterConditionAvailable'].map((type) => ({
      type,
      status: 'True',
      reason: 'Reported',
      message: '',
      lastTransitionTime: new Date().toISOString(),
    }));
    const before = conditions.filter(({ type }) => type !== 'ManagedClusterConditionAvailable');
    // Another write in between is followed by another event.
    const conflict = (error: unknown): void => {
      if (!/: 409 /.test(String(error))) throw error;
    };
    const { resourceVersion } = metadata as { readonly resourceVersion?: string };
    const patch = { metadata: { resourceVersion }, status: { conditions: [...before, ...joined] } };
    void stage.hub.client.merge(object, patch, 'status').catch(conflict);
  };
  const follow = async (): Promise<void> => {
    const [apiVersion, kind] = ocmKinds.managedCluster;
    while (!end.signal.aborted) await stage.hub.client.watch(apiVersion, kind, onEvent, end.signal);
  };
  void follow();
  return { stop: () => end.abort() };
}

test('the first commit of the apps of dist/ is synced once', async () => {
  const repository = stage.git.create('dist');
  cpSync(path.join(root, 'dist'), path.join(repository.folder, 'dist'), { recursive: true });
  const commit = repository.commit('Add-ons of the hub');
  const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;
  const clusters: Record<string, Readonly<Record<string, string>>> = {};
  for (const app of apps)
    for (const { kind, metadata } of (await emitted(app, target)).fleet)
      if (kind === 'ManagedCluster') clusters[metadata.name ?? ''] = metadata.labels ?? {};
  await stage.hub.addClusters(clusters);
  await serveForeignKinds(stage.hub, apps.flatMap(committed));
  const joining = joinClusters();

  for (const app of apps) await applyApplication(stage.hub.client, app, repository);
  await Promise.all(apps.map((app) => synced(stage.argoCd, app, commit)));
  joining.stop();
  for (const app of apps) {
    const { status } = await stage.argoCd.application(app);
    process.stdout.write(`  ${app}: ${status?.health?.status ?? ''}\n`);
    expect(status?.conditions ?? []).toEqual([]);
    expect(status?.health?.status).not.toBe('Degraded');
    expect((await stage.operations.of(app)).map(({ phase }) => phase)).toEqual(['Succeeded']);
  }
});
