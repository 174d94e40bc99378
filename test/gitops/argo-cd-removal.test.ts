import { renameSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ArgoCdApplicationSet, ArgoCdGenerator } from '../../constructs/index.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { objectsOf } from '../constructs/in-chart.ts';
import { ocmKinds, reference } from '../hub/client/kinds.ts';
import { startCompanion, type RunningCompanion } from '../hub/companion/running-companion.ts';
import { addOn, fleet, scaffold } from './engines/argo-cd/add-on.ts';
import { useStage } from './engines/argo-cd/stage.ts';
import {
  addFleet,
  applyApplication,
  created,
  findFolders,
  publish,
  synced,
  writeFiles,
} from './engines/argo-cd/story.ts';
import { applicationKind } from './engines/argo-cd.ts';
import { parseObjects } from './emitted-objects.ts';
import { eventually } from './engines/eventually.ts';
import {
  completeHooks,
  hostedBy,
  untilHooked,
  withHook,
  withHostedHook,
  worksOf as namedWorksOf,
} from './engines/hooks.ts';
import { serveForeignKinds } from './engines/foreign-kinds.ts';
import { uidsOn } from './engines/little-fleet.ts';

// What leaves Git, on a real hub with Argo CD: add-ons, apps, clusters; and what cannot be delivered.

const stage = useStage({ waveDelay: 0 });

let companion: RunningCompanion;
beforeAll(() => {
  companion = startCompanion(stage.hub.kubeconfig, { preDeleteHooks: true });
});
afterAll(async () => {
  await companion.stop();
});

/** The clusters that have an add-on. */
async function clustersOf(name: string): Promise<readonly string[]> {
  const onClusters = await stage.hub.client.list(...ocmKinds.managedClusterAddOn);
  return onClusters
    .filter(({ metadata }) => metadata.name === name)
    .map(({ metadata }) => metadata.namespace ?? '')
    .sort();
}

/** The works in the namespaces of the clusters of a story. */
async function worksOf(name: string): Promise<readonly KubernetesObject[]> {
  const works = await stage.hub.client.list(...ocmKinds.manifestWork);
  return works.filter(({ metadata }) => metadata.namespace?.startsWith(`${name}-`));
}

async function isOnHub(kind: keyof typeof ocmKinds, name: string, namespace?: string): Promise<boolean> {
  const [apiVersion, kindName] = ocmKinds[kind];
  return (await stage.hub.client.get(apiVersion, kindName, name, namespace)) !== undefined;
}

/** A Policy that no cluster reports compliance of. */
function policyWithoutReport(name: string): string {
  return `---
apiVersion: policy.open-cluster-management.io/v1
kind: Policy
metadata: { name: ${name}, namespace: ${name} }
spec: { disabled: false, policy-templates: [] }
`;
}

/** The uids of the ManagedClusterAddOns of a name that the hub makes from now on. */
function followAddOns(name: string): { readonly uids: ReadonlySet<string>; stop(): void } {
  const [uids, end] = [new Set<string>(), new AbortController()];
  const follow = async (): Promise<void> => {
    while (!end.signal.aborted)
      await stage.hub.client.watch(
        ...ocmKinds.managedClusterAddOn,
        ({ type, object }) => {
          if (type === 'ADDED' && object.metadata.name === name) uids.add(object.metadata.uid ?? '');
        },
        end.signal,
      );
  };
  void follow();
  return { uids, stop: () => end.abort() };
}

/** An ApplicationSet whose Applications end without their resources. */
function withoutDeletion(object: KubernetesObject): KubernetesObject {
  const { spec } = structuredClone(object) as KubernetesObject & {
    readonly spec: {
      syncPolicy?: Record<string, unknown>;
      readonly template: { readonly metadata: { finalizers?: readonly string[] } };
    };
  };
  spec.template.metadata.finalizers = [];
  spec.syncPolicy = { ...spec.syncPolicy, preserveResourcesOnDeletion: true };
  return { ...object, spec };
}

describe.concurrent('with Argo CD', () => {
  test('an add-on leaves the clusters with the change that removes it, and what it used stays on the hub', async () => {
    const name = 'left';
    const repository = stage.git.create(name);
    const clusters = fleet(name, ['c1', 'c2']);
    await addFleet(stage.hub, clusters);
    writeFiles(repository.folder, {
      [`apps/${name}/fleet.yaml`]: clusters,
      [`apps/${name}/app.yaml`]: addOn({ name }),
    });
    const first = await publish(repository, 'Add-on');
    await applyApplication(stage.hub.client, name, repository);
    await synced(stage.argoCd, name, first);
    await eventually('all clusters have the add-on', async () => (await worksOf(name)).length === 2);

    writeFiles(repository.folder, { [`apps/${name}/app.yaml`]: scaffold(name) });
    await synced(stage.argoCd, name, await publish(repository, 'No add-on'));
    expect(await isOnHub('clusterManagementAddOn', name)).toBe(false);
    await eventually('no cluster has the add-on', async () => {
      const rest = [...(await clustersOf(name)), ...(await worksOf(name))];
      return rest.length === 0 || JSON.stringify(rest);
    });
    expect(await isOnHub('addOnDeploymentConfig', 'prod', name)).toBe(true);

    writeFiles(repository.folder, {
      [`apps/${name}/app.yaml`]: scaffold(name).replace('"{{FROM}}"', 'nowhere'),
    });
    await synced(stage.argoCd, name, await publish(repository, 'Another change'));
    expect(await isOnHub('addOnDeploymentConfig', 'prod', name)).toBe(true);
    const operations = await stage.operations.syncsOf(name);
    expect(operations.map(({ phase }) => phase)).toEqual(['Succeeded', 'Succeeded', 'Succeeded']);
  });

  test('the works of a compiled add-on stay until its pre-delete hooks are complete', async () => {
    const name = 'hooked';
    const { client } = stage.hub;
    const repository = stage.git.create(name);
    await addFleet(stage.hub, fleet(name, ['c1', 'c2']));
    const apply = async (app: string, clusters: readonly string[], message: string): Promise<void> => {
      writeFiles(repository.folder, {
        [`apps/${name}/fleet.yaml`]: fleet(name, clusters),
        [`apps/${name}/app.yaml`]: app,
      });
      const commit = await publish(repository, message);
      if (message === 'Add-on') await applyApplication(client, name, repository);
      await synced(stage.argoCd, name, commit);
    };
    const app = withHook(addOn({ name, delivery: 'compiled' }));
    await apply(app, ['c1', 'c2'], 'Add-on');
    await untilHooked(client, name, ['hooked-c1', 'hooked-c2']);

    await apply(app, ['c1'], 'Cluster removed');
    const removed = ['hooked-c1 deploy-0', 'hooked-c2 deploy-0', 'hooked-c2 pre-delete'];
    await eventually(
      'the hook runs',
      async () => (await namedWorksOf(client, name)).length === removed.length,
    );
    expect(await namedWorksOf(client, name)).toEqual(removed);
    await completeHooks(client, name, ['hooked-c2']);
    await eventually(
      'the cluster is without it',
      async () => (await namedWorksOf(client, name)).length === 1,
    );

    await apply(scaffold(name), ['c1'], 'No add-on');
    expect(await isOnHub('clusterManagementAddOn', name)).toBe(false);
    await eventually('the hook runs', async () => (await namedWorksOf(client, name)).length === 2);
    expect(await namedWorksOf(client, name)).toEqual(['hooked-c1 deploy-0', 'hooked-c1 pre-delete']);
    await completeHooks(client, name, ['hooked-c1']);
    await eventually('nothing is left', async () => (await namedWorksOf(client, name)).length === 0);
    expect(await clustersOf(name)).toEqual([]);
  });

  test('the works for a hosting cluster stay until the hooks on it are complete', async () => {
    const name = 'hosted';
    const { client } = stage.hub;
    const repository = stage.git.create(name);
    const clusters = fleet(name, ['c1', 'c2']);
    await addFleet(stage.hub, clusters);
    const apply = async (app: string, message: string): Promise<void> => {
      writeFiles(repository.folder, {
        [`apps/${name}/fleet.yaml`]: hostedBy(clusters, 'hosted-c1', 'hosted-c2'),
        [`apps/${name}/app.yaml`]: app,
      });
      const commit = await publish(repository, message);
      if (message === 'Add-on') await applyApplication(client, name, repository);
      await synced(stage.argoCd, name, commit);
    };
    await apply(withHostedHook(addOn({ name, delivery: 'compiled' })), 'Add-on');
    await untilHooked(client, name, ['hosted-c1'], 2);
    await untilHooked(client, name, ['hosted-c2']);

    await apply(scaffold(name), 'No add-on');
    const all = [
      'hosted-c1 deploy-0',
      'hosted-c1 pre-delete',
      'hosted-c2 deploy-0',
      'hosted-c2 deploy-hosting-hosted-c1-0',
      'hosted-c2 pre-delete',
      'hosted-c2 pre-delete-hosting-hosted-c1',
    ];
    await eventually('the hooks run', async () => (await namedWorksOf(client, name)).length === all.length);
    expect(await namedWorksOf(client, name)).toEqual(all);
    await completeHooks(client, name, ['hosted-c1', 'hosted-c2']);
    await completeHooks(client, name, ['hosted-c2'], 'hosted-c1');
    await eventually('nothing is left', async () => (await namedWorksOf(client, name)).length === 0);
    expect(await clustersOf(name)).toEqual([]);
  });

  test('an ApplicationSet applies each app of dist/, and deletes an app with everything that it brought', async () => {
    const [stays, goes] = ['stays', 'goes'];
    const repository = stage.git.create('all');
    const names = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8'];
    for (const name of [stays, goes]) {
      await addFleet(stage.hub, fleet(name, names));
      writeFiles(repository.folder, {
        [`apps/${name}/fleet.yaml`]: fleet(name, names),
        [`apps/${name}/app.yaml`]: addOn({ name }),
      });
    }
    const first = await publish(repository, 'Two apps');
    const objects = objectsOf((chart) => {
      const { url: repoUrl } = repository;
      new ArgoCdApplicationSet(chart, 'apps', {
        name: 'apps',
        generators: [ArgoCdGenerator.directories({ repoUrl, revision: 'main', paths: ['dist/*'] })],
        applicationName: '{{.path.basename}}',
        template: { repoUrl, targetRevision: 'main', path: '{{.path.path}}' },
      });
    });
    for (const object of objects) await stage.hub.client.apply(object);
    for (const name of [stays, goes]) {
      await created(stage, name);
      await synced(stage.argoCd, name, first);
      await eventually(`all clusters have ${name}`, async () => (await worksOf(name)).length === 8);
    }

    const added = followAddOns(goes);
    await eventually('the watch has begun', async () => added.uids.size === 8);
    writeFiles(repository.folder, { [`apps/${goes}`]: undefined });
    await publish(repository, 'One app less');
    await findFolders(stage.hub.client, 'apps');
    await eventually('nothing of the app is left', async () => {
      const application = await stage.hub.client.get(...applicationKind, goes, 'argocd');
      const rest = [
        application?.metadata.name,
        (await isOnHub('clusterManagementAddOn', goes)) && 'add-on',
        (await isOnHub('placement', 'selected', goes)) && 'placement',
        (await isOnHub('addOnTemplate', goes)) && 'template',
        ...(await clustersOf(goes)),
        ...(await worksOf(goes)).map(({ metadata }) => metadata.namespace),
      ].filter((item) => item !== undefined && item !== false);
      return rest.length === 0 || rest.join(' ');
    });
    added.stop();
    // The hub made none of them again.
    expect(added.uids.size).toBe(8);
    expect(await clustersOf(stays)).toHaveLength(8);
  });

  test('an app gets another name as docs/gitops.md describes, and no add-on is uninstalled', async () => {
    const [before, after] = ['earlier', 'later'];
    const repository = stage.git.create(before);
    const clusters = fleet(before, ['c1', 'c2']);
    await addFleet(stage.hub, clusters);
    writeFiles(repository.folder, {
      [`apps/${before}/fleet.yaml`]: clusters,
      [`apps/${before}/app.yaml`]: addOn({ name: before }),
    });
    const first = await publish(repository, 'Add-on');
    const applicationSet = (isEnding: boolean): readonly KubernetesObject[] =>
      objectsOf((chart) => {
        const { url: repoUrl } = repository;
        new ArgoCdApplicationSet(chart, 'apps', {
          name: 'renamed',
          generators: [ArgoCdGenerator.directories({ repoUrl, revision: 'main', paths: ['dist/*'] })],
          applicationName: '{{.path.basename}}',
          template: { repoUrl, targetRevision: 'main', path: '{{.path.path}}' },
        });
      }).map((object) => (isEnding ? withoutDeletion(object) : object));
    for (const object of applicationSet(false)) await stage.hub.client.apply(object);
    await created(stage, before);
    await synced(stage.argoCd, before, first);
    await eventually('all clusters have the add-on', async () => (await worksOf(before)).length === 2);
    const uids = await uidsOn(stage.hub, before, [`${before}-c1`, `${before}-c2`]);

    for (const object of applicationSet(true)) await stage.hub.client.apply(object);
    await eventually('no Application has a finalizer', async () => {
      const { metadata } = (await stage.hub.client.get(...applicationKind, before, 'argocd')) ?? {};
      return metadata?.finalizers === undefined || JSON.stringify(metadata.finalizers);
    });
    renameSync(path.join(repository.folder, 'apps', before), path.join(repository.folder, 'apps', after));
    const second = await publish(repository, 'Another name');
    await findFolders(stage.hub.client, 'renamed');
    await created(stage, after);
    await synced(stage.argoCd, after, second);
    await eventually('the earlier Application is gone', async () => {
      return (await stage.hub.client.get(...applicationKind, before, 'argocd')) === undefined;
    });
    for (const object of applicationSet(false)) await stage.hub.client.apply(object);

    expect(await uidsOn(stage.hub, before, Object.keys(uids))).toEqual(uids);
    writeFiles(repository.folder, { [`apps/${after}/app.yaml`]: scaffold(before) });
    await synced(stage.argoCd, after, await publish(repository, 'No add-on'));
    await eventually('no cluster has the add-on', async () => (await clustersOf(before)).length === 0);
  });

  test('a cluster loses an add-on with its label, without a sync', async () => {
    const name = 'label';
    const repository = stage.git.create(name);
    const clusters = fleet(name, ['c1', 'c2']);
    await addFleet(stage.hub, clusters);
    writeFiles(repository.folder, {
      [`apps/${name}/fleet.yaml`]: clusters,
      [`apps/${name}/app.yaml`]: addOn({ name }),
    });
    await applyApplication(stage.hub.client, name, repository);
    await synced(stage.argoCd, name, await publish(repository, 'Add-on'));
    await eventually('all clusters have the add-on', async () => (await worksOf(name)).length === 2);

    const cluster = reference(ocmKinds.managedCluster, `${name}-c2`);
    await stage.hub.client.merge(cluster, { metadata: { labels: { test: null } } });
    await eventually('the cluster lost the add-on', async () => (await worksOf(name)).length === 1);
    await stage.argoCd.refresh(name);
    expect(await clustersOf(name)).toEqual([`${name}-c1`]);
    expect((await stage.argoCd.application(name)).status?.sync?.status).toBe('Synced');
    expect(await stage.operations.syncsOf(name)).toHaveLength(1);
  });

  test('compiled delivery goes in waves, waits for a failing cluster however long it fails, and is removed', async () => {
    const name = 'waves';
    const repository = stage.git.create(name);
    const clusters = fleet(name, ['c1', 'c2', 'c3']);
    await addFleet(stage.hub, clusters);
    await stage.hub.agents.set('failure', `${name}-c1`);
    writeFiles(repository.folder, {
      [`apps/${name}/fleet.yaml`]: clusters,
      [`apps/${name}/app.yaml`]:
        addOn({ name, oneByOne: true, delivery: 'compiled' }) + policyWithoutReport(name),
    });
    await serveForeignKinds(stage.hub, parseObjects(policyWithoutReport(name)));
    const first = await publish(repository, 'Compiled');
    // The limit is that of the construct, the pause shorter.
    await applyApplication(stage.hub.client, name, repository, { duration: '1s', factor: 1 });
    // By default Argo CD gives up after five.
    await eventually('the sync was retried more than five times', async () => {
      const { operationState: operation } = (await stage.argoCd.application(name)).status ?? {};
      return (operation?.retryCount ?? 0) > 6 || JSON.stringify(operation);
    });
    expect(await clustersOf(name)).toEqual([`${name}-c1`]);

    await stage.hub.agents.set('success', `${name}-c1`);
    await synced(stage.argoCd, name, first);
    expect(await clustersOf(name)).toEqual([`${name}-c1`, `${name}-c2`, `${name}-c3`]);
    // No wave waited for the policy.
    const { resources = [] } = (await stage.argoCd.application(name)).status ?? {};
    expect(resources.find(({ kind }) => kind === 'Policy')?.health?.status).toBe('Progressing');

    writeFiles(repository.folder, { [`apps/${name}/app.yaml`]: scaffold(name) });
    await synced(stage.argoCd, name, await publish(repository, 'No add-on'));
    await eventually('no cluster has the add-on', async () => {
      const rest = [...(await clustersOf(name)), ...(await worksOf(name))];
      return rest.length === 0 || JSON.stringify(rest);
    });
  });

  test('a change from compiled delivery to that of the hub leaves no configurations behind on clusters', async () => {
    const name = 'handed';
    const repository = stage.git.create(name);
    const clusters = fleet(name, ['c1', 'c2']);
    await addFleet(stage.hub, clusters);
    const deliver = async (delivery: 'hub' | 'compiled'): Promise<string> => {
      writeFiles(repository.folder, {
        [`apps/${name}/fleet.yaml`]: clusters,
        [`apps/${name}/app.yaml`]: addOn({ name, delivery }),
      });
      return await publish(repository, `Delivery: ${delivery}`);
    };
    const first = await deliver('compiled');
    await applyApplication(stage.hub.client, name, repository);
    await synced(stage.argoCd, name, first);
    await eventually('the companion owns the objects', async () => {
      const onClusters = await stage.hub.client.list(...ocmKinds.managedClusterAddOn);
      return (
        onClusters.filter(({ metadata }) => metadata.name === name && metadata.ownerReferences?.length === 1)
          .length === 2
      );
    });
    const second = await deliver('hub');
    await synced(stage.argoCd, name, second);
    await eventually(
      'the hub configures the add-on on both clusters',
      async () => {
        const onClusters = (await stage.hub.client.list(...ocmKinds.managedClusterAddOn)).filter(
          ({ metadata }) => metadata.name === name,
        );
        const configs = onClusters.map(
          ({ spec }) => (spec as { readonly configs?: readonly object[] }).configs ?? [],
        );
        const works = await worksOf(name);
        const isDone =
          configs.length === 2 && configs.every(({ length }) => length === 0) && works.length === 2;
        return isDone || JSON.stringify([configs, works.length]);
      },
      90_000,
    );
    expect(await clustersOf(name)).toEqual([`${name}-c1`, `${name}-c2`]);
  });
});
