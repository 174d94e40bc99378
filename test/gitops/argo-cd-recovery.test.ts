import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { consoleSteps, type ConsoleStep } from '../docs/console-steps.ts';
import { applicationKind } from './engines/argo-cd.ts';
import { follow } from './engines/argo-cd/guide.ts';
import { useStage } from './engines/argo-cd/stage.ts';
import { applyApplication, compared, publish, synced, writeFiles } from './engines/argo-cd/story.ts';
import { HubBackup } from './engines/backup.ts';
import { eventually } from './engines/eventually.ts';
import type { GitRepository } from './engines/git-server.ts';
import { page } from './engines/guide.ts';
import { littleApp, type LittleAddOn } from './engines/little-app.ts';
import { clustersOf, uidsOn, valuesOn } from './engines/little-fleet.ts';

// The commands of docs/recovery.md, on a real hub with Argo CD.

const stage = useStage();

/** An app that Argo CD applies. */
class RecoveredApp {
  readonly name: string;
  readonly repository: GitRepository;
  readonly #clusters: readonly string[];
  readonly #write: (addOn: LittleAddOn) => void;

  private constructor(name: string, repository: GitRepository, clusters: ReturnType<typeof clustersOf>) {
    this.name = name;
    this.repository = repository;
    this.#clusters = Object.keys(clusters);
    this.#write = (addOn) => writeFiles(repository.folder, littleApp(name, clusters, addOn));
  }

  /** An app that is three changes further than at its beginning, with the commit and a backup of that time. */
  static async begin(
    name: string,
    placement = 'everywhere',
  ): Promise<{ app: RecoveredApp; first: string; backup: HubBackup }> {
    const clusters = clustersOf(name, 2);
    await stage.hub.addClusters(clusters);
    const app = new RecoveredApp(name, stage.git.create(name), clusters);
    app.#write({ value: 'a' });
    const first = await publish(app.repository, 'Add-on');
    await applyApplication(stage.hub.client, name, app.repository);
    await synced(stage.argoCd, name, first);
    await app.delivers('a');
    const backup = await app.#backUp();
    for (const value of ['b', 'c', 'd']) {
      app.#write({ value, placement });
      await synced(stage.argoCd, name, await publish(app.repository, value));
    }
    await app.delivers('d');
    return { app, first, backup };
  }

  async #backUp(): Promise<HubBackup> {
    const { client } = stage.hub;
    return HubBackup.of({
      hub: stage.hub,
      name: this.name,
      clusters: this.#clusters.length,
      fieldManager: 'argocd-controller',
      hasStatusSubresource: false,
      engineObjects: async () => {
        const all = await client.list(...applicationKind, 'argocd');
        return all.filter(({ metadata }) => metadata.name === this.name);
      },
      suspended: (suspend) => ({
        spec: { syncPolicy: { automated: suspend ? null : { prune: true, selfHeal: true } } },
      }),
    });
  }

  /** Waits until the works of all clusters have a value. */
  async delivers(value: string): Promise<void> {
    await eventually(`the works of ${this.name} have ${value}`, async () => {
      const values = Object.values(await valuesOn(stage.hub, this.name, this.#clusters));
      return values.every((each) => each === value) || JSON.stringify(values);
    });
  }

  async uids(): Promise<Record<string, string>> {
    return uidsOn(stage.hub, this.name, this.#clusters);
  }

  /** Waits until the last commit is synced. */
  async synced(): Promise<void> {
    await synced(stage.argoCd, this.name, this.repository.head());
  }
}

function guide(section: string): readonly ConsoleStep[] {
  return consoleSteps(page('recovery.md'), section);
}

describe.concurrent('docs/recovery.md', () => {
  test('The hub is restored from a backup', async () => {
    // With the later dist/, Argo CD would delete the placement that the restored add-on names.
    const { app, first, backup } = await RecoveredApp.begin('restored', 'later');
    const { folder } = app.repository;
    const uids = await app.uids();
    await backup.stopEngine();
    const steps = guide('The hub is restored from a backup');
    await follow(stage, steps.slice(0, 3), folder, {}, { BACKUP_COMMIT: first });
    await backup.restore();
    await compared(stage.argoCd, app.name, app.repository.head());
    await backup.startEngine();
    await app.delivers('a');
    await follow(stage, steps.slice(3), folder);
    await app.synced();
    await app.delivers('d');
    expect(await app.uids()).toEqual(uids);
    // Four before the backup was restored, none for the restored dist/, and one for the apps.
    expect(await stage.operations.syncsOf(app.name)).toHaveLength(5);
  });

  test('without the order of the guide, protected objects keep the add-on installed', async () => {
    const { app, backup } = await RecoveredApp.begin('unordered', 'later');
    const uids = Object.values(await app.uids());
    await backup.stopEngine();
    await backup.restore();
    await backup.startEngine();
    await app.synced();
    await app.delivers('d');
    const restored = Object.values(await app.uids());
    expect(restored).toHaveLength(uids.length);
    expect(restored.toSorted()).toEqual(uids.toSorted());
  });

  test('dist/ was rolled back', async () => {
    const { app, first } = await RecoveredApp.begin('rolled');
    const { folder } = app.repository;
    const uids = await app.uids();
    execFileSync('git', ['restore', '--source', first, '--staged', '--worktree', 'dist'], { cwd: folder });
    app.repository.commit('Roll back dist/');
    await app.synced();
    await app.delivers('a');
    await follow(stage, guide('dist/ was rolled back'), folder);
    await app.synced();
    await app.delivers('d');
    expect(await app.uids()).toEqual(uids);
  });
});
