import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { ocmKinds } from '../hub/client/kinds.ts';
import { startCompanion, type RunningCompanion } from '../hub/companion/running-companion.ts';
import { addOn, fleet, type AddOnText } from './engines/argo-cd/add-on.ts';
import { useStage } from './engines/argo-cd/stage.ts';
import { addFleet, applyApplication, publish, synced, writeFiles } from './engines/argo-cd/story.ts';
import { eventually } from './engines/eventually.ts';
import type { GitRepository } from './engines/git-server.ts';

// Overrides of single clusters on a real hub with Argo CD, in each of the ways in which they reach the hub.

const stage = useStage({ waveDelay: 0 });

let companion: RunningCompanion;
beforeAll(() => {
  companion = startCompanion(stage.hub.kubeconfig);
});
afterAll(async () => {
  await companion.stop();
});

/** One add-on on c1 and c2 in a repository. */
class Played {
  readonly #repository: GitRepository;
  readonly name: string;

  private constructor(name: string, repository: GitRepository) {
    this.name = name;
    this.#repository = repository;
  }

  static async start(text: AddOnText): Promise<Played> {
    const { name } = text;
    const repository = stage.git.create(name);
    const played = new Played(name, repository);
    const clusters = fleet(name, ['c1', 'c2']);
    await addFleet(stage.hub, clusters);
    writeFiles(repository.folder, { [`apps/${name}/fleet.yaml`]: clusters });
    const commit = await played.#write(text);
    await applyApplication(stage.hub.client, name, repository);
    await synced(stage.argoCd, name, commit);
    return played;
  }

  /** Publishes the add-on as it is now, and waits for the sync. */
  async publish(text: AddOnText): Promise<void> {
    await synced(stage.argoCd, this.name, await this.#write(text));
  }

  async #write(text: AddOnText): Promise<string> {
    writeFiles(this.#repository.folder, { [`apps/${this.name}/app.yaml`]: addOn(text) });
    return await publish(this.#repository, 'Change the add-on');
  }

  /** The ManagedClusterAddOn on a cluster. */
  async onCluster(cluster: string): Promise<KubernetesObject | undefined> {
    return await stage.hub.client.get(...ocmKinds.managedClusterAddOn, this.name, `${this.name}-${cluster}`);
  }

  /** Waits until the work on a cluster is rendered with a configuration, and returns the uids of add-on and work. */
  async delivers(cluster: string, from: string): Promise<string> {
    let uids = '';
    await eventually(`${this.name} on ${cluster} is delivered with ${from}`, async () => {
      const onCluster = await this.onCluster(cluster);
      const works = await stage.hub.client.list(...ocmKinds.manifestWork, `${this.name}-${cluster}`);
      uids = [onCluster, ...works].map((object) => object?.metadata.uid).join(' ');
      const data = works.map(({ spec }) => JSON.stringify(spec).match(/"from":"(.*?)"/)?.[1]);
      return (data.length === 1 && data[0] === from) || JSON.stringify([data, onCluster]);
    });
    return uids;
  }

  async hasConfig(config: string): Promise<boolean> {
    return (await stage.hub.client.get(...ocmKinds.addOnDeploymentConfig, config, this.name)) !== undefined;
  }
}

describe.concurrent('an override', () => {
  test.each(['object', 'placement', 'inventory'])(
    'is added, changed and removed, and its cluster keeps the add-on: %s',
    async (mode) => {
      const name = `ov-${mode}`;
      const played = await Played.start({ name, mode });
      const before = await played.delivers('c1', 'prod');
      const c2 = await played.delivers('c2', 'prod');

      await played.publish({ name, mode, overrides: { c1: 'own' } });
      expect(await played.delivers('c1', 'own')).toBe(before);

      await played.publish({ name, mode, overrides: { c1: 'other' } });
      expect(await played.delivers('c1', 'other')).toBe(before);

      await played.publish({ name, mode });
      expect(await played.delivers('c1', 'prod')).toBe(before);

      // What everybody has reaches the cluster, too.
      await played.publish({ name, mode, value: 'new' });
      expect(await played.delivers('c1', 'new')).toBe(before);
      expect(await played.delivers('c2', 'new')).toBe(c2);

      const { status } = await stage.argoCd.application(name);
      expect(status?.sync?.status).toBe('Synced');
      expect(status?.conditions ?? []).toEqual([]);
      // One sync for each commit.
      const operations = await stage.operations.syncsOf(name);
      expect(operations.map(({ phase, message }) => `${phase} ${message}`)).toEqual(
        Array<string>(5).fill('Succeeded successfully synced (all tasks run)'),
      );
    },
  );

  test('waits for the wave of its cluster, which is not Degraded meanwhile and never runs without it', async () => {
    const name = 'ov-wave';
    await stage.hub.agents.set('nothing', `${name}-c1`);
    const played = await Played.start({ name, oneByOne: true, overrides: { c2: 'own' } });
    const seen = new Set<string>();
    await eventually('the hub has c2 wait for its wave', async () => {
      const { health, resources = [] } = (await stage.argoCd.application(name)).status ?? {};
      const onCluster = resources.find(({ kind }) => kind === 'ManagedClusterAddOn');
      seen.add(health?.status ?? '').add(onCluster?.health?.status ?? '');
      return (
        onCluster?.health?.message === 'waiting for the wave of the cluster' || JSON.stringify(resources)
      );
    });
    expect([...seen]).not.toContain('Degraded');
    expect(await stage.hub.client.list(...ocmKinds.manifestWork, `${name}-c2`)).toEqual([]);

    await stage.hub.agents.set('success', `${name}-c1`);
    await played.delivers('c2', 'own');
    const [work] = await stage.hub.client.list(...ocmKinds.manifestWork, `${name}-c2`);
    expect(work?.metadata.generation).toBe(1);
    const { status } = await stage.argoCd.application(name);
    expect(status?.operationState?.phase).toBe('Succeeded');
    expect(await stage.operations.syncsOf(name)).toHaveLength(1);
  });
});
