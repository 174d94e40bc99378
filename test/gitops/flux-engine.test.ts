import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { ocmKinds, reference } from '../hub/client/kinds.ts';
import { linkDependencies, runProgram } from '../linked-repository.ts';
import { runIn } from '../cli/terminal.ts';
import { apps, emitted, parseObjects, synthesize } from './emitted-objects.ts';
import { eventually } from './engines/eventually.ts';
import { FluxRepository } from './engines/flux/repository.ts';
import { useFlux } from './engines/flux/stage.ts';
import { FluxStory } from './engines/flux/story.ts';
import { serveForeignKinds } from './engines/foreign-kinds.ts';
import { completeHooks, hostedBy, untilHooked, withHook, withHostedHook, worksOf } from './engines/hooks.ts';
import { littleAddOn, littleApp, littlePlacement } from './engines/little-app.ts';
import { uidsOn } from './engines/little-fleet.ts';

// Flux applies what `synth` writes to a real hub.

const addOnGroup = 'addon.open-cluster-management.io';

const stage = useFlux();

test('Flux applies every app of this repository, and removes all of them', async () => {
  const repository = new FluxRepository(stage.flux, stage.git.create('every-app'));
  await synthesize(path.join(repository.folder, 'dist'), 'flux');
  const objects = emitted(path.join(repository.folder, 'dist'));
  await serveForeignKinds(stage.flux.hub, objects);
  await repository.configure(Object.fromEntries(apps.map((app) => [app, {}])));
  await repository.synced(await repository.commit('Add every app'));
  expect(await repository.kustomizations()).toHaveLength(apps.length * 5);
  const addOns = objects.filter(({ kind }) => kind === 'ClusterManagementAddOn');
  expect(await stage.flux.hub.client.list(...ocmKinds.clusterManagementAddOn)).toHaveLength(addOns.length);
  await repository.deleteKustomizations();
  expect(await stage.flux.hub.client.list(...ocmKinds.clusterManagementAddOn)).toEqual([]);
});

/** The files of an app in a folder of another name. */
function renamed(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([file, text]) => [file.replace('apps/before/', 'apps/after/'), text]),
  );
}

interface Specified extends KubernetesObject {
  readonly spec: object;
}

// Each story has clusters and a repository for itself, and spends its time waiting.
describe.concurrent('Flux', { timeout: 900_000 }, () => {
  test('applies an app once, and then changes nothing', async () => {
    const story = await FluxStory.begin(stage.flux, stage.git, 'rest');
    await story.sync({ value: 'a', overrides: { 'rest-1': 'own' } });
    await story.delivers(story.values('a', { 'rest-1': 'own' }));
    const before = stage.flux.changes(story.name);
    expect(before).not.toEqual([]);
    // OCM 1.3 writes status in v1beta1: the conversion webhook then writes the spec in its form of durations.
    await stage.flux.hub.client.merge(
      { apiVersion: `${addOnGroup}/v1beta1`, kind: 'ClusterManagementAddOn', metadata: { name: 'rest' } },
      { metadata: { annotations: { touched: 'true' } } },
    );
    await story.repository.reconcile();
    await story.repository.reconcile();
    expect(stage.flux.changes(story.name)).toEqual(before);
  });

  test('applies changes, and never deletes a configuration', async () => {
    const story = await FluxStory.begin(stage.flux, stage.git, 'change');
    const configs = async (): Promise<(string | undefined)[]> =>
      (await stage.flux.hub.client.list(...ocmKinds.addOnDeploymentConfig, 'change')).map(
        ({ metadata }) => metadata.name,
      );
    await story.sync({ value: 'a' });
    await story.delivers(story.values('a'));
    const uids = await story.uids();
    await story.sync({ value: 'b' });
    await story.delivers(story.values('b'));
    expect(await configs()).toEqual(['change-a', 'change-b']);
    await story.sync({ value: 'c' });
    await story.delivers(story.values('c'));
    expect(await configs()).toEqual(['change-a', 'change-b', 'change-c']);
    expect(await story.uids()).toEqual(uids);
  });

  // As a ManagedClusterAddOn, as a placement, and in the inventory of the companion.
  test.each(['object', 'placement', 'inventory'] as const)(
    'applies an override as %s, changes it, and removes it, while the add-on stays installed',
    async (mode) => {
      const story = await FluxStory.begin(stage.flux, stage.git, `own-${mode}`);
      const [first = ''] = Object.keys(story.clusters);
      await story.sync({ value: 'a', mode });
      await story.delivers(story.values('a'));
      const uids = await story.uids();
      await story.sync({ value: 'a', mode, overrides: { [first]: 'own' } });
      await story.delivers(story.values('a', { [first]: 'own' }));
      await story.sync({ value: 'a', mode, overrides: { [first]: 'other' } });
      await story.delivers(story.values('a', { [first]: 'other' }));
      await story.sync({ value: 'a', mode });
      await story.delivers(story.values('a'));
      await story.sync({ value: 'b', mode });
      await story.delivers(story.values('b'));
      expect(await story.uids()).toEqual(uids);
    },
  );

  test('applies an override during a rollout, before the wave of its cluster', async () => {
    const story = await FluxStory.begin(stage.flux, stage.git, 'early', { count: 3 });
    await story.sync({ value: 'a' });
    await story.delivers(story.values('a'));
    const overrides = { 'early-3': 'own' };
    await story.sync({ value: 'b', slowly: true, overrides });
    expect(
      await stage.flux.hub.client.get(...ocmKinds.managedClusterAddOn, 'early', 'early-3'),
    ).toMatchObject({
      spec: { configs: [{ name: 'early-own' }] },
    });
    await story.delivers({ 'early-1': 'b', 'early-2': 'a', 'early-3': 'a' });
    await story.sync({ value: 'b', overrides });
    await story.delivers(story.values('b', overrides));
  });

  test('uninstalls an add-on, and leaves what it used on the hub', async () => {
    const story = await FluxStory.begin(stage.flux, stage.git, 'without');
    const second = { 'apps/without/second.yaml': littleAddOn('without', 'second', { value: 'a' }) };
    story.repository.write(second);
    await story.sync({ value: 'a' });
    await story.delivers(story.values('a'), 'second');
    story.repository.write({ 'apps/without/second.yaml': undefined });
    await story.sync({ value: 'a' });
    await story.isGone('second');
    expect(await stage.flux.hub.client.get(...ocmKinds.clusterManagementAddOn, 'second')).toBeUndefined();
    expect(await stage.flux.hub.client.get(...ocmKinds.addOnTemplate, 'second')).toBeDefined();
    await story.sync({ value: 'b' });
    expect(await stage.flux.hub.client.get(...ocmKinds.addOnTemplate, 'second')).toBeDefined();
    await story.delivers(story.values('b'));
  });

  test('deletes the add-on of an app with its Kustomizations, and leaves its placements on the hub', async () => {
    const story = await FluxStory.begin(stage.flux, stage.git, 'gone', { count: 10 });
    await story.sync({ value: 'a', overrides: { 'gone-1': 'own' } });
    await story.delivers(story.values('a', { 'gone-1': 'own' }));
    await story.repository.deleteKustomizations();
    await story.isGone();
    expect(await stage.flux.hub.client.get(...ocmKinds.clusterManagementAddOn, 'gone')).toBeUndefined();
    expect(await stage.flux.hub.client.list(...ocmKinds.placement, 'gone')).not.toEqual([]);
  });

  test('leaves alone what the hub does where a cluster loses its label and gets it back', async () => {
    const story = await FluxStory.begin(stage.flux, stage.git, 'label');
    await story.sync({ value: 'a' });
    await story.delivers(story.values('a'));
    const before = stage.flux.changes(story.name);
    const cluster = reference(ocmKinds.managedCluster, 'label-2');
    await stage.flux.hub.client.merge(cluster, { metadata: { labels: { story: null } } });
    await story.delivers({ ...story.values('a'), 'label-2': undefined });
    await story.repository.reconcile();
    await stage.flux.hub.client.merge(cluster, { metadata: { labels: { story: 'label' } } });
    await story.delivers(story.values('a'));
    expect(stage.flux.changes(story.name)).toEqual(before);
  });

  test('keeps what an author protects, and what synth protects', async () => {
    const story = await FluxStory.begin(stage.flux, stage.git, 'kept');
    const kept = `apiVersion: ${addOnGroup}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: kept, namespace: kept, annotations: { kustomize.toolkit.fluxcd.io/prune: disabled } }
spec: { customizedVariables: [{ name: VALUE, value: kept }] }
`;
    story.repository.write({ 'apps/kept/kept.yaml': kept });
    await story.sync({ value: 'a' });
    story.repository.write({ 'apps/kept/kept.yaml': undefined });
    await story.sync({ value: 'b' });
    await story.sync({ value: 'c' });
    expect(await stage.flux.hub.client.get(...ocmKinds.addOnDeploymentConfig, 'kept', 'kept')).toBeDefined();
    expect(
      await stage.flux.hub.client.get(...ocmKinds.addOnDeploymentConfig, 'kept-a', 'kept'),
    ).toBeDefined();
  });

  test('applies commits while a cluster fails, and the rollout goes on once it is well', async () => {
    const story = await FluxStory.begin(stage.flux, stage.git, 'fails');
    await story.sync({ value: 'a' });
    await story.delivers(story.values('a'));
    await stage.flux.hub.agents.set('failure', 'fails-1');
    await story.sync({ value: 'b', oneByOne: true });
    await story.delivers({ 'fails-1': 'b', 'fails-2': 'a' });
    await story.sync({ value: 'c', oneByOne: true });
    await story.delivers({ 'fails-1': 'c', 'fails-2': 'a' });
    const kustomizations = await story.repository.kustomizations();
    expect(
      kustomizations.filter(({ status }) => status?.conditions?.some(({ status }) => status === 'False')),
    ).toEqual([]);
    await stage.flux.hub.agents.set('success', 'fails-1');
    await story.delivers(story.values('c'));
  });

  test('applies compiled delivery wave by wave, and removes it', async () => {
    const story = await FluxStory.begin(stage.flux, stage.git, 'compiled', { waves: 2 });
    await stage.flux.hub.agents.set('nothing', 'compiled-1');
    const revision = await story.commit({ value: 'a', delivery: 'compiled', oneByOne: true });
    await story.delivers({ 'compiled-1': 'a', 'compiled-2': undefined });
    await stage.flux.hub.agents.set('success', 'compiled-1');
    await story.repository.synced(revision);
    await story.delivers(story.values('a'));
    story.repository.write({ 'apps/compiled/other.yaml': littleAddOn('compiled', 'other', { value: 'a' }) });
    story.repository.write({ 'apps/compiled/app.yaml': littlePlacement('compiled') });
    await story.repository.synced(await story.repository.change({}, 'Remove the add-on'));
    await story.isGone();
    expect(await stage.flux.hub.client.get(...ocmKinds.clusterManagementAddOn, 'compiled')).toBeUndefined();
  });

  test('keeps the works of compiled add-ons until their pre-delete hooks are complete', async () => {
    const story = await FluxStory.begin(stage.flux, stage.git, 'hooked', { waves: 1 });
    const { client } = stage.flux.hub;
    const clusters = Object.keys(story.clusters);
    const app = littleApp('hooked', story.clusters, { value: 'a', delivery: 'compiled' });
    const hooked = { ...app, 'apps/hooked/app.yaml': withHook(app['apps/hooked/app.yaml'] ?? '') };
    await story.repository.synced(await story.repository.change(hooked, 'With a hook'));
    await untilHooked(client, 'hooked', clusters);
    const rest = `${littlePlacement('hooked')}---\n${littleAddOn('hooked', 'other', { value: 'a' })}`;
    await story.repository.synced(
      await story.repository.change({ 'apps/hooked/app.yaml': rest }, 'Without it'),
    );
    const all = clusters.flatMap((cluster) => [`${cluster} deploy-0`, `${cluster} pre-delete`]);
    await eventually('the hooks run', async () => (await worksOf(client, 'hooked')).length === all.length);
    await story.repository.reconcile();
    expect(await worksOf(client, 'hooked')).toEqual(all);
    await completeHooks(client, 'hooked', clusters);
    await story.isGone();
  });

  test('keeps the works for a hosting cluster until the hooks on it are complete', async () => {
    const story = await FluxStory.begin(stage.flux, stage.git, 'hosted', { waves: 1 });
    const { client } = stage.flux.hub;
    const [edge = '', host = ''] = Object.keys(story.clusters);
    const app = littleApp('hosted', story.clusters, { value: 'a', delivery: 'compiled' });
    const hooked = {
      'apps/hosted/app.yaml': withHostedHook(app['apps/hosted/app.yaml'] ?? ''),
      'apps/hosted/fleet.yaml': hostedBy(app['apps/hosted/fleet.yaml'] ?? '', edge, host),
    };
    await story.repository.synced(await story.repository.change(hooked, 'With hooks'));
    await untilHooked(client, 'hosted', [edge], 2);
    await untilHooked(client, 'hosted', [host]);
    // The hub delivers the other add-on, and cannot host it.
    const rest = {
      ...app,
      'apps/hosted/app.yaml': `${littlePlacement('hosted')}---\n${littleAddOn('hosted', 'other', { value: 'a' })}`,
    };
    await story.repository.synced(await story.repository.change(rest, 'Without it'));
    const all = [
      ...[edge, host].flatMap((cluster) => [`${cluster} deploy-0`, `${cluster} pre-delete`]),
      `${host} deploy-hosting-${edge}-0`,
      `${host} pre-delete-hosting-${edge}`,
    ].sort();
    await eventually('the hooks run', async () => (await worksOf(client, 'hosted')).length === all.length);
    await story.repository.reconcile();
    expect(await worksOf(client, 'hosted')).toEqual(all);
    await completeHooks(client, 'hosted', [edge, host]);
    await completeHooks(client, 'hosted', [host], edge);
    await story.isGone();
  });

  test('keeps compiled add-ons installed while their clusters move between waves', async () => {
    const story = await FluxStory.begin(stage.flux, stage.git, 'moving', { count: 3, waves: 3 });
    const addOn = { value: 'a', delivery: 'compiled' } as const;
    const twoAtATime = '{ type: Progressive, progressive: { maxConcurrency: 2 } }';
    const wavesOf = (): string[] =>
      readdirSync(path.join(story.repository.folder, 'dist/moving'), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.includes('/managedclusteraddon_'))
        .map((file) => file.replace(/^wave-(\d).*_moving-(\d)_.*$/, '$2 in $1'))
        .sort();
    await story.sync({ ...addOn, oneByOne: true });
    await story.delivers(story.values('a'));
    expect(wavesOf()).toEqual(['1 in 1', '2 in 2', '3 in 3']);
    const uids = await story.uids();
    // Earlier waves.
    await story.sync({ ...addOn, strategy: twoAtATime });
    expect(wavesOf()).toEqual(['1 in 1', '2 in 1', '3 in 2']);
    expect(await story.uids()).toEqual(uids);
    // Later waves.
    await story.sync({ ...addOn, oneByOne: true });
    expect(wavesOf()).toEqual(['1 in 1', '2 in 2', '3 in 3']);
    expect(await story.uids()).toEqual(uids);
    await story.sync({ ...addOn, value: 'b', oneByOne: true });
    expect(wavesOf()).toEqual(['1 in 1', '2 in 2', '3 in 3']);
    await story.delivers(story.values('b'));
    expect(await story.uids()).toEqual(uids);
  });

  test('applies the repository of init, keeps earlier revisions, and applies a second app without a further object', async () => {
    const repository = new FluxRepository(stage.flux, stage.git.create('hello'));
    const { folder, url } = repository;
    const options = ['--ci', 'none', '--gitops', 'flux', '--repo-url', url];
    expect(await runIn(folder, ['init', ...options])).toMatchObject({ code: 0 });
    linkDependencies(folder);
    const fleet = parseObjects(readFileSync(path.join(folder, 'fleet.yaml'), 'utf8'));
    const clusters = fleet.filter(({ kind }) => kind === 'ManagedCluster');
    await stage.flux.hub.addClusters(
      Object.fromEntries(clusters.map(({ metadata: { name = '', labels = {} } }) => [name, labels])),
    );
    const clusterNames = clusters.map(({ metadata: { name = '' } }) => name);
    const kustomize = path.join(inject('tools'), 'kustomize');
    const gitops = execFileSync(kustomize, ['build', path.join(folder, 'gitops')], { encoding: 'utf8' });
    await repository.applyConfiguration(parseObjects(gitops));
    const app = path.join(folder, 'apps/hello/app.ts');
    const greet = async (greeting: string): Promise<number> => {
      writeFileSync(app, readFileSync(app, 'utf8').replace(/GREETING: '\w+'/, `GREETING: '${greeting}'`));
      expect(runProgram(folder, 'npm', ['run', '--silent', 'synth'])).toMatchObject({ code: 0 });
      await repository.synced(await repository.commit(greeting));
      return (await stage.flux.hub.client.list(...ocmKinds.addOnDeploymentConfig, 'hello')).length;
    };
    const revisions = [await greet('Hello'), await greet('Hi'), await greet('Hey'), await greet('Ho')];
    expect(revisions).toEqual([1, 2, 3, 4]);

    expect(await runIn(folder, ['new', 'second', '--yaml'])).toMatchObject({ code: 0 });
    const before = (await repository.kustomizations()).map(({ metadata }) => metadata.uid);
    const change = async (message: string): Promise<string> => {
      expect(runProgram(folder, 'npm', ['run', '--silent', 'synth'])).toMatchObject({ code: 0 });
      const revision = await repository.commit(message);
      await repository.synced(revision);
      return revision;
    };
    await change('A second app');
    const { client } = stage.flux.hub;
    const second = async (): Promise<readonly (string | undefined)[]> => {
      const objects = [
        await client.get('v1', 'Namespace', 'second'),
        await client.get(...ocmKinds.placement, 'everywhere', 'second'),
        await client.get(...ocmKinds.addOnTemplate, 'second-1'),
        await client.get(...ocmKinds.clusterManagementAddOn, 'second'),
      ];
      return objects.map((object) => object?.kind);
    };
    expect(await second()).toEqual(['Namespace', 'Placement', 'AddOnTemplate', 'ClusterManagementAddOn']);

    // The add-on leaves. What it used stays, also after the next change: Git does not know when no cluster uses it.
    repository.write({ 'apps/second': undefined });
    await change('One app again');
    expect(await second()).toEqual(['Namespace', 'Placement', 'AddOnTemplate', undefined]);
    await greet('Hi');
    expect(await second()).toEqual(['Namespace', 'Placement', 'AddOnTemplate', undefined]);
    expect((await repository.kustomizations()).map(({ metadata }) => metadata.uid)).toEqual(before);
    expect(await client.get(...ocmKinds.clusterManagementAddOn, 'hello')).toBeDefined();

    // The Kustomizations apply all apps: they keep what moves from one to another.
    const installed = await uidsOn(stage.flux.hub, 'hello', clusterNames);
    expect(Object.keys(installed)).not.toEqual([]);
    renameSync(path.join(folder, 'apps/hello'), path.join(folder, 'apps/renamed'));
    await change('Another name of the app');
    expect(await uidsOn(stage.flux.hub, 'hello', clusterNames)).toEqual(installed);
  });

  test('Kustomizations of one app hand an app over under another name, as docs/gitops.md describes', async () => {
    const story = await FluxStory.begin(stage.flux, stage.git, 'before');
    const { repository } = story;
    await story.sync({ value: 'a' });
    await story.delivers(story.values('a'));
    const installed = await story.uids();
    const earlier = await repository.kustomizations();
    for (const { apiVersion, kind, metadata, spec } of earlier as readonly Specified[])
      await stage.flux.hub.client.merge({ apiVersion, kind, metadata }, { spec: { ...spec, prune: false } });
    await repository.reconcile();

    renameSync(path.join(repository.folder, 'apps/before'), path.join(repository.folder, 'apps/after'));
    await repository.synth();
    const revision = await repository.commit('Another name of the app');
    await repository.configure({ after: {} });
    for (const each of earlier) await stage.flux.hub.client.delete(each);
    await eventually('the earlier Kustomizations are gone', async () =>
      (await repository.kustomizations()).every(({ metadata: { name = '' } }) => name.startsWith('after')),
    );
    await repository.synced(revision);
    expect(await story.uids()).toEqual(installed);
    await repository.change(renamed(littleApp('before', story.clusters, { value: 'b' })), 'A change');
    await story.delivers(story.values('b'));
    expect(await story.uids()).toEqual(installed);
  });
});
