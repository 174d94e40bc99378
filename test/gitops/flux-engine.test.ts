import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ocmKinds } from '../hub/client/kinds.ts';
import { startCompanion } from '../hub/companion/running-companion.ts';
import { kustomizeControllerVersion } from './engines/flux/build.ts';
import { aMinute, FluxStory } from './engines/flux/story.ts';
import { startFlux, type RunningFlux } from './engines/flux.ts';
import { startGitServer, type GitServer } from './engines/git-server.ts';

// Flux applies what `synth` writes to a real hub. kustomize-controller is the real one; the test serves the artifacts.

const addOnGroup = 'addon.open-cluster-management.io';

let flux: RunningFlux;
let git: GitServer;
/** What runs, in the order in which it was started. */
const running: { stop(): Promise<void> }[] = [];
beforeAll(async () => {
  flux = await startFlux();
  running.push(flux);
  git = await startGitServer(flux.folder);
  running.push(git);
  running.push(startCompanion(flux.hub.kubeconfig));
  const ocm = flux.hub.versions['open-cluster-management.io/ocm'] ?? '';
  report(`kustomize-controller ${kustomizeControllerVersion()}, OCM ${ocm}`);
});
afterAll(async () => {
  for (const each of running.toReversed()) await each.stop();
});
beforeEach(({ onTestFailed, task }) => {
  const start = performance.now();
  onTestFailed(() => flux.keepLog());
  return () => report(`${task.name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
});

function report(line: string): void {
  process.stdout.write(`  Flux: ${line}\n`);
}

// Each story has clusters and a repository for itself, and spends its time waiting.
describe.concurrent('Flux', { timeout: 900_000 }, () => {
  test('applies an app once, and then changes nothing', async () => {
    const story = await FluxStory.begin(flux, git, 'rest');
    await story.sync({ value: 'a', overrides: { 'rest-1': 'own' } });
    await story.delivers(story.values('a', { 'rest-1': 'own' }));
    const before = flux.changes(story.name);
    expect(before).not.toEqual([]);
    // OCM 1.3 writes status in v1beta1: the conversion webhook then writes the spec in its form of durations.
    await flux.hub.client.merge(
      { apiVersion: `${addOnGroup}/v1beta1`, kind: 'ClusterManagementAddOn', metadata: { name: 'rest' } },
      { metadata: { annotations: { touched: 'true' } } },
    );
    await story.repository.reconcile();
    await story.repository.reconcile();
    expect(flux.changes(story.name)).toEqual(before);
  });

  test('applies a change, and removes what nothing names anymore with the next one', async () => {
    const story = await FluxStory.begin(flux, git, 'change');
    const configs = async (): Promise<(string | undefined)[]> =>
      (await flux.hub.client.list(...ocmKinds.addOnDeploymentConfig, 'change')).map(
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
    expect(await configs()).toEqual(['change-b', 'change-c']);
    expect(await story.uids()).toEqual(uids);
  });

  test('applies a commit and its revert within a minute while a rollout goes on', async () => {
    const story = await FluxStory.begin(flux, git, 'during', { count: 3 });
    await story.sync({ value: 'a', slowly: true });
    const seconds = [
      await story.secondsUntil('b', () => story.commit({ value: 'b', slowly: true })),
      await story.secondsUntil('c', () => story.commit({ value: 'c', slowly: true })),
      await story.secondsUntil('b', () => story.repository.revert()),
    ];
    report(`commits reached the hub after ${seconds.map((each) => each.toFixed(1)).join(', ')} s`);
    expect(Math.max(...seconds)).toBeLessThan(aMinute());
    // The rollout is still going on: a cluster waits for its wave.
    expect(new Set(Object.values(await story.delivered())).size).toBeGreaterThan(1);
  });

  // As a ManagedClusterAddOn, as a placement, and in the inventory of the companion.
  test.each(['object', 'placement', 'inventory'] as const)(
    'applies an override as %s, changes it, and removes it, while the add-on stays installed',
    async (mode) => {
      const story = await FluxStory.begin(flux, git, `own-${mode}`);
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
});
