import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { consoleSteps, type ConsoleStep } from '../docs/console-steps.ts';
import { HubBackup } from './engines/backup.ts';
import { startFlux, type RunningFlux } from './engines/flux.ts';
import { followWithFlux } from './engines/flux/guide.ts';
import { FluxStory } from './engines/flux/story.ts';
import { startGitServer, type GitServer } from './engines/git-server.ts';
import { page } from './engines/guide.ts';

// The commands of docs/recovery.md, on a real hub with Flux.

let flux: RunningFlux;
let git: GitServer;
beforeAll(async () => {
  flux = await startFlux({ requeueDependency: '1s' });
  git = await startGitServer(flux.folder);
});
afterAll(async () => {
  await git.stop();
  await flux.stop();
});
beforeEach(({ onTestFailed, task }) => {
  const start = performance.now();
  onTestFailed(() => flux.keepLog());
  return () => {
    process.stdout.write(`  Flux: ${task.name}: ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
  };
});

const follow = (
  steps: readonly ConsoleStep[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> => followWithFlux(flux, steps, folder, env);

describe.concurrent('docs/recovery.md', () => {
  /** A story whose apps are three changes further than at its beginning. */
  const begin = async (
    name: string,
    placement = 'everywhere',
  ): Promise<{ story: FluxStory; first: string; backup: HubBackup }> => {
    const story = await FluxStory.begin(flux, git, name);
    const [, first = ''] = (await story.sync({ value: 'a' })).split(':');
    await story.delivers(story.values('a'));
    const backup = await HubBackup.of({
      hub: flux.hub,
      name,
      clusters: Object.keys(story.clusters).length,
      fieldManager: 'kustomize-controller',
      hasStatusSubresource: true,
      engineObjects: () => story.repository.kustomizations(),
      suspended: (suspend) => ({ spec: { suspend } }),
    });
    for (const value of ['b', 'c', 'd']) await story.sync({ value, placement });
    await story.delivers(story.values('d'));
    return { story, first, backup };
  };

  test('The hub is restored from a backup', async () => {
    // With the later dist/, Flux would delete the placement that the restored add-on names: the hub would uninstall it.
    const { story, first, backup } = await begin('restored', 'later');
    const { folder } = story.repository;
    const uids = await story.uids();
    await backup.stopEngine();
    const steps = consoleSteps(page('recovery.md'), 'The hub is restored from a backup');
    await follow(steps.slice(0, 3), folder, { BACKUP_COMMIT: first });
    await backup.restore();
    await backup.startEngine();
    await story.repository.synced(await story.repository.fetched());
    await story.delivers(story.values('a'));
    await follow(steps.slice(3), folder);
    await story.repository.synced(await story.repository.fetched());
    await story.delivers(story.values('d'));
    expect(await story.uids()).toEqual(uids);
  });

  test('without the order of the guide, protected objects keep the add-on installed', async () => {
    const { story, backup } = await begin('unordered', 'later');
    const uids = Object.values(await story.uids());
    await backup.stopEngine();
    await backup.restore();
    await backup.startEngine();
    await story.repository.synced(await story.repository.fetched());
    await story.delivers(story.values('d'));
    const restored = Object.values(await story.uids());
    expect(restored).toHaveLength(uids.length);
    expect(restored.toSorted()).toEqual(uids.toSorted());
  });

  test('dist/ was rolled back', async () => {
    const { story, first } = await begin('rolled');
    const { folder } = story.repository;
    const uids = await story.uids();
    execFileSync('git', ['restore', '--source', first, '--staged', '--worktree', 'dist'], { cwd: folder });
    await story.repository.synced(await story.repository.commit('Roll back dist/'));
    await story.delivers(story.values('a'));
    await follow(consoleSteps(page('recovery.md'), 'dist/ was rolled back'), folder);
    await story.repository.synced(await story.repository.fetched());
    await story.delivers(story.values('d'));
    expect(await story.uids()).toEqual(uids);
  });
});
