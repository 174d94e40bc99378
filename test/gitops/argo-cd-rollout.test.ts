import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ocmKinds } from '../hub/client/kinds.ts';
import { linkDependencies } from '../linked-repository.ts';
import { applicationKind } from './engines/argo-cd.ts';
import {
  addFleet,
  applyGitOps,
  compared,
  created,
  findFolders,
  fleetwright,
  publish,
  synced,
  writeFiles,
} from './engines/argo-cd/story.ts';
import { follow } from './engines/argo-cd/guide.ts';
import { useStage } from './engines/argo-cd/stage.ts';
import { eventually } from './engines/eventually.ts';
import type { GitRepository } from './engines/git-server.ts';
import { page, shellSteps, syncRule } from './engines/guide.ts';

// Argo CD itself on a real hub. Rollouts last as long as a story wants: the agents of the clusters report when they are to.

const stage = useStage();

/** A commit reaches the hub within this time on an idle machine, whatever rollout is going on. In milliseconds. */
const syncLimit = 60_000;
/** How long Argo CD is to do nothing where nothing changes, in milliseconds. */
const restTime = 30_000;

let hello: GitRepository;

/** Sets the greeting of the app, compiles it, and publishes it. */
async function greet(greeting: string): Promise<string> {
  const file = path.join(hello.folder, 'apps/hello/app.ts');
  const app = readFileSync(file, 'utf8').replace(/GREETING: '.*?'/, `GREETING: '${greeting}'`);
  writeFiles(hello.folder, { 'apps/hello/app.ts': app });
  return await publish(hello, `Greet with ${greeting}`);
}

/** The greetings of the configurations on the hub, and that of the add-on. */
async function greetings(): Promise<{ readonly all: readonly string[]; readonly current: string }> {
  const configs = await stage.hub.client.list(...ocmKinds.addOnDeploymentConfig, 'hello');
  const byName = new Map(
    configs.map(({ metadata, spec }) => [
      metadata.name ?? '',
      (spec as { customizedVariables: { value: string }[] }).customizedVariables[0]?.value ?? '',
    ]),
  );
  const addOn = await stage.hub.client.get(...ocmKinds.clusterManagementAddOn, 'hello');
  const { supportedConfigs = [] } = (addOn?.spec ?? {}) as {
    readonly supportedConfigs?: { readonly resource: string; readonly defaultConfig?: { name: string } }[];
  };
  const named = supportedConfigs.find(({ resource }) => resource === 'addondeploymentconfigs');
  return {
    all: [...byName.values()].sort(),
    current: byName.get(named?.defaultConfig?.name ?? '') ?? '',
  };
}

/** How far the hub is with the rollout of an add-on, in its words. */
async function progressOf(name: string): Promise<string> {
  const addOn = await stage.hub.client.get(...ocmKinds.clusterManagementAddOn, name);
  const { installProgressions = [] } = (addOn?.['status'] ?? {}) as {
    readonly installProgressions?: readonly {
      readonly conditions?: readonly { readonly message: string }[];
    }[];
  };
  return installProgressions
    .flatMap(({ conditions = [] }) => conditions.map(({ message }) => message))
    .join();
}

/** Waits for a greeting on the hub, and compares the time that it took with the limit. */
async function arrives(greeting: string): Promise<void> {
  const pushed = Date.now();
  await stage.argoCd.refresh('hello');
  await eventually(`the hub greets with ${greeting}`, async () => {
    const { current } = await greetings();
    return current === greeting || current;
  });
  const took = Date.now() - pushed;
  process.stdout.write(`  "${greeting}" is on the hub after ${(took / 1000).toFixed(1)} s\n`);
  expect(took).toBeLessThan(syncLimit * loadFactor());
}

/** How much longer everything takes than on an idle machine. */
function loadFactor(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
}

test('a new repository, by the commands of its README: one sync in the order of the waves, and health shows the rollout', async () => {
  hello = stage.git.create('hello');
  await fleetwright(hello.folder, 'init', '--gitops', 'argocd', '--repo-url', hello.url);
  linkDependencies(hello.folder);
  await addFleet(stage.hub, readFileSync(path.join(hello.folder, 'fleet.yaml'), 'utf8'));
  // No cluster is done before the story says so: the rollout does not end.
  await stage.hub.agents.set('nothing', 'dev-1', 'staging-1', 'prod-1', 'prod-2');
  const commit = await publish(hello, 'Add-ons of the hub');
  await applyGitOps(stage.hub.client, hello);
  await created(stage, 'hello');
  await synced(stage.argoCd, 'hello', commit);

  const { status } = await stage.argoCd.application('hello');
  expect(status?.history?.map(({ revision }) => revision)).toEqual([commit]);
  expect(status?.conditions ?? []).toEqual([]);
  expect((await stage.operations.syncsOf('hello')).map(({ phase }) => phase)).toEqual(['Succeeded']);
  await eventually('the hub has begun with one cluster', async () => {
    const message = await progressOf('hello');
    return message.startsWith('1/5 progressing') || message;
  });
  // Argo CD compares again after up to three minutes where only the message changes: docs/gitops.md.
  await stage.argoCd.refresh('hello');
  await eventually('the health of the add-on shows the wave', async () => {
    const { health, resources = [] } = (await stage.argoCd.application('hello')).status ?? {};
    const addOn = resources.find(({ kind }) => kind === 'ClusterManagementAddOn')?.health;
    const shows = addOn?.status === 'Progressing' && / 1\/5 progressing/.test(addOn.message ?? '');
    return (shows && health?.status === 'Progressing') || JSON.stringify([health, addOn]);
  });
});

test('while nothing changes in Git there is no sync, whatever the hub writes', async () => {
  const before = await stage.operations.of('hello');
  expect(await stage.operations.syncsOf('hello')).toHaveLength(1);
  const [apiVersion, kind] = ocmKinds.clusterManagementAddOn;
  const end = Date.now() + restTime;
  while (Date.now() < end) {
    // Hubs of 1.3 write the status in v1beta1, whose conversion stores the whole object anew.
    const addOn = {
      apiVersion: apiVersion.replace('v1alpha1', 'v1beta1'),
      kind,
      metadata: { name: 'hello' },
    };
    const annotations = { 'test/written': `${Date.now()}` };
    await stage.hub.client.merge(addOn, { metadata: { annotations } });
    await stage.argoCd.refresh('hello');
    await delay(5_000);
  }
  expect(await stage.operations.of('hello')).toEqual(before);
  expect((await stage.argoCd.application('hello')).status?.sync?.status).toBe('Synced');
});

test('commits during a rollout, and a revert, reach the hub within a minute each', async () => {
  const commits: string[] = [];
  for (const greeting of ['Good morning', 'Moin', 'Salut', 'Hej', 'Good day']) {
    commits.push(await greet(greeting));
    await arrives(greeting);
  }
  await follow(stage, shellSteps(page('gitops.md'), syncRule), hello.folder);
  commits.push(hello.push());
  await arrives('Hej');
  expect(new Set((await stage.operations.of('hello')).map(({ revision }) => revision))).toEqual(
    new Set([expect.any(String), ...commits]),
  );
});

test('a commit that keeps many revisions ends as soon as the others', async () => {
  for (const greeting of ['Hi', 'Hello', 'Hey', 'Welcome']) {
    const commit = await greet(greeting);
    await arrives(greeting);
    await synced(stage.argoCd, 'hello', commit);
  }
  // The ten earlier revisions stay, for clusters whose wave has not come.
  expect((await greetings()).all).toEqual([
    'Good day',
    'Good morning',
    'Hej',
    'Hello',
    'Hey',
    'Hi',
    'Moin',
    'Salut',
    'Welcome',
  ]);
  expect((await stage.operations.of('hello')).every(({ phase }) => phase === 'Succeeded')).toBe(true);
});

test('a second app needs no further object on the hub, and leaves it with its folder', async () => {
  expect(await fleetwright(hello.folder, 'new', 'second', '--yaml')).toContain('apps/second/app.yaml\n');
  const added = await publish(hello, 'A second app');
  await findFolders(stage.hub.client, 'hello');
  await created(stage, 'second');
  await synced(stage.argoCd, 'second', added);
  expect(await stage.hub.client.get(...ocmKinds.clusterManagementAddOn, 'second')).toBeDefined();

  writeFiles(hello.folder, { 'apps/second': undefined });
  const removed = await publish(hello, 'One app again');
  await findFolders(stage.hub.client, 'hello');
  await eventually('nothing of the app is left', async () => {
    const { client } = stage.hub;
    const rest = [
      await client.get(...applicationKind, 'second', 'argocd'),
      await client.get(...ocmKinds.clusterManagementAddOn, 'second'),
      await client.get(...ocmKinds.addOnTemplate, 'second-1'),
    ].flatMap((object) => object?.kind ?? []);
    return rest.length === 0 || rest.join(' ');
  });
  await compared(stage.argoCd, 'hello', removed);
  expect(await stage.hub.client.get(...ocmKinds.clusterManagementAddOn, 'hello')).toBeDefined();
});
