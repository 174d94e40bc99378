import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Repository } from '../../../storm/history.ts';
import { clusters, type StormHub } from '../../../storm/storm-hub.ts';
import { eventually } from '../eventually.ts';
import type { GitRepository, GitServer } from '../git-server.ts';
import type { EngineHub } from '../hub.ts';
import { usedObjects, type UsedObjects } from './used-objects.ts';

/** A real engine on a real hub. */
export interface StormEngine {
  readonly name: StormHub['engine'];
  readonly hub: EngineHub;
  readonly git: GitServer;
  /** Lets the engine follow a repository with some apps. @returns what waits until it has applied the last commit */
  follow(repository: GitRepository, apps: readonly string[]): Promise<() => Promise<void>>;
}

/** A real hub, on which a real engine applies the commits of one storm. */
export class RealHub implements StormHub {
  readonly engine: StormHub['engine'];
  readonly prefix: string;
  /** The number of commits that were applied while a cluster did not use the configuration that it should. */
  underWay = 0;
  readonly #engine: StormEngine;
  #served: GitRepository | undefined;
  #applied: (() => Promise<void>) | undefined;
  /** The uid of each object that was in use after the last sync. */
  #used: ReadonlyMap<string, string> = new Map();

  constructor(engine: StormEngine, prefix: string) {
    this.#engine = engine;
    this.engine = engine.name;
    this.prefix = prefix;
  }

  async sync(repository: Repository): Promise<readonly string[]> {
    const before = await this.#read();
    if (before.behind > 0) this.underWay += 1;
    await this.#apply(repository);
    const after = await this.#read();
    const deleted = [...this.#used, ...before.uids].filter(([key, uid]) => after.live.get(key) !== uid);
    this.#used = after.uids;
    return [
      ...new Set(deleted.map(([key]) => `${key} was deleted although the hub used it`)),
      ...after.missing.map((key) => `${key} is missing although the hub uses it`),
    ];
  }

  async advance(cluster: string): Promise<void> {
    const { agents } = this.#engine.hub;
    await agents.set('success', cluster);
    await agents.set('nothing', cluster);
  }

  #read(): Promise<UsedObjects> {
    return usedObjects(this.#engine.hub.client, this.prefix);
  }

  async #apply(repository: Repository): Promise<void> {
    this.#served ??= served(this.#engine.git, this.prefix, repository);
    this.#served.push();
    if (this.#applied !== undefined) return await this.#applied();
    const apps = readdirSync(path.join(repository.folder, 'dist')).filter((name) => !name.includes('.'));
    this.#applied = await this.#engine.follow(this.#served, apps);
    await this.#applied();
    await this.#install(apps.length * clusters.length);
  }

  /** Waits until every cluster has every add-on. From then on, rollouts wait for `advance`. */
  async #install(count: number): Promise<void> {
    const { agents } = this.#engine.hub;
    await eventually(`${this.prefix}: all add-ons are on all clusters`, async () => {
      // Another storm may have stopped them.
      await agents.set('success', ...clusters);
      const { installed, behind } = await this.#read();
      return (installed >= count && behind === 0) || `${installed} of ${count}, ${behind} behind`;
    });
    await agents.set('nothing', ...clusters);
  }
}

/** Serves the last commit of a repository, also after a force-push. */
function served(git: GitServer, name: string, repository: Repository): GitRepository {
  const { url } = git.create(name);
  const push = (): string => {
    repository.git('push', '--quiet', '--force', path.join(git.served, `${name}.git`), 'HEAD:main');
    return repository.head;
  };
  return {
    url,
    folder: repository.folder,
    head: () => repository.head,
    push,
    commit: (message) => {
      repository.commit(message);
      return push();
    },
  };
}
