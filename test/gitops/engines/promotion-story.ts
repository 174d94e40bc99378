import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { parse } from 'yaml';
import type { WatchEvent } from '../../hub/client/api-client.ts';
import { ocmKinds } from '../../hub/client/kinds.ts';
import { writeFiles } from './argo-cd/story.ts';
import { eventually } from './eventually.ts';
import { committer } from './guide.ts';
import type { EngineHub } from './hub.ts';
import { littleApp, type LittleAddOn } from './little-app.ts';
import { clustersOf, uidsOn, valuesOn, type Clusters } from './little-fleet.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** An engine that applies the output of one app from a repository. */
export interface Carrier {
  readonly hub: EngineHub;
  /** The working tree of the repository. */
  readonly folder: string;
  /** The setting `engine` in fleetwright.yaml. */
  readonly engine: 'argocd' | 'flux';
  /** Configures the engine for the app, whose output is in the working tree. */
  configure(app: string): Promise<void>;
  /** Publishes the commits of the working tree, and has the engine read them. */
  publish(): Promise<void>;
}

/** The result of a run of the built command. */
export interface CommandRun {
  /** The exit code; the signal if one ended it. */
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
}

/** A value of a cluster, and the time at which it got it, in milliseconds. */
interface ClusterValue {
  readonly cluster: string;
  readonly value: string;
  readonly at: number;
}

/** What differs between the deliveries of a promoted app. */
interface StoryDelivery extends Pick<LittleAddOn, 'delivery' | 'rings'> {
  readonly clusters: (name: string) => Clusters;
}

const compiled: StoryDelivery = { delivery: 'compiled', clusters: (name) => clustersOf(name, 4) };

/** With a cluster in the first ring, two in the second and one in the last. */
const ofTheHub: StoryDelivery = {
  rings: ['first', 'second', 'last'],
  clusters: (name) =>
    Object.fromEntries(
      ['first', 'second', 'second', 'last'].map((ring, index) => [
        `${name}-${index + 1}`,
        { story: name, ring },
      ]),
    ),
};

/** A release of a little app by `promote`, on clusters of a hub with an engine. */
export class PromotionStory {
  readonly name: string;
  readonly clusters: Clusters;
  readonly #carrier: Carrier;
  readonly #strategy: string;
  readonly #delivery: StoryDelivery;
  readonly #end = new AbortController();
  /** The uid of the ManagedClusterAddOn on each cluster, before the promotion. */
  #uids: Readonly<Record<string, string>> = {};
  /** What happened to the works of clusters on the hub since the app is promoted: another value, or `deleted`. */
  readonly #deliveries: ClusterValue[] = [];
  /** The values that were committed for clusters. */
  readonly #releases: ClusterValue[] = [];

  private constructor(carrier: Carrier, name: string, strategy: string, delivery: StoryDelivery) {
    this.#carrier = carrier;
    this.name = name;
    this.clusters = delivery.clusters(name);
    this.#strategy = strategy;
    this.#delivery = delivery;
  }

  /** Installs version `a` on four clusters, and then puts the app under promotion. */
  static async begin(
    carrier: Carrier,
    name: string,
    strategy: string,
    delivery = compiled,
  ): Promise<PromotionStory> {
    const story = new PromotionStory(carrier, name, strategy, delivery);
    await carrier.hub.addClusters(story.clusters);
    writeFiles(carrier.folder, { 'fleetwright.yaml': `engine: ${carrier.engine}\n` });
    await story.#merge('a');
    await carrier.configure(name);
    await story.delivers(['a', 'a', 'a', 'a']);
    // Within a wave, an engine may apply works before the ManagedClusterAddOn.
    await eventually('every cluster has the add-on', async () => {
      story.#uids = await story.#uidsNow();
      return Object.keys(story.#uids).length === Object.keys(story.clusters).length;
    });
    void story.#follow();
    writeFiles(carrier.folder, {
      [`promotions/${name}.yaml`]: `apiVersion: fleetwright.dev/v1alpha1\nkind: Promotion\nmetadata: { name: ${name} }\nspec: {}\n`,
    });
    story.#commit('Promote it');
    await eventually('the first run finds version a on all clusters', async () => {
      const { code, out, err } = await story.promote();
      return code === 0 || `${code}: ${out}${err}`;
    });
    await carrier.publish();
    return story;
  }

  stop(): void {
    this.#end.abort();
  }

  /** Merges a version of the app with the output of synth, which changes no cluster. */
  async release(value: string): Promise<void> {
    const before = [this.clusterFiles(), this.valuesInGit()];
    await this.#merge(value);
    if (JSON.stringify([this.clusterFiles(), this.valuesInGit()]) !== JSON.stringify(before))
      throw new Error('the merge changes what clusters have');
  }

  /** Runs `promote --commit`. */
  async promote(...parameters: readonly string[]): Promise<CommandRun> {
    const at = Date.now();
    const before = this.valuesInGit();
    const run = await this.#promote(parameters);
    this.#noteReleases(at, before);
    return run;
  }

  /** Runs `promote --commit` until it does something else than wait, and lets the engine apply what it has committed. */
  async step(): Promise<CommandRun> {
    let last: CommandRun = { code: 4, out: '', err: '' };
    await eventually(`${this.name} takes a step`, async () => {
      last = await this.promote();
      if (last.code === 4) await delay(500);
      return last.code !== 4 || last.out;
    });
    await this.#carrier.publish();
    return last;
  }

  /** Runs `promote --commit` in a working tree with a release that is not committed. */
  async resume(): Promise<CommandRun> {
    this.#noteReleases(Date.now(), []);
    const run = await this.#promote();
    await this.#carrier.publish();
    return run;
  }

  /** Runs `promote --commit`, which is killed when it begins to commit. */
  async killed(): Promise<CommandRun> {
    const bin = path.join(this.#carrier.folder, '.git/kill');
    mkdirSync(bin, { recursive: true });
    const git = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
    writeFileSync(
      path.join(bin, 'git'),
      `#!/bin/sh\nfor each; do case $each in commit|commit-tree) kill -9 $PPID; exit 1 ;; esac; done\nexec '${git}' "$@"\n`,
      { mode: 0o755 },
    );
    return await this.#promote([], { PATH: `${bin}:${process.env['PATH'] ?? ''}` });
  }

  /** Waits until the works on the hub have these values, in the order of the clusters. */
  async delivers(values: readonly string[]): Promise<void> {
    await eventually(`the works of ${this.name} have ${values.join(' ')}`, async () => {
      const delivered = Object.values(
        await valuesOn(this.#carrier.hub, this.name, Object.keys(this.clusters)),
      );
      return delivered.join(' ') === values.join(' ') || delivered.join(' ');
    });
  }

  /** What the hub has of the add-on on the clusters: the specs of the ManagedClusterAddOns and of the works. */
  async specsOnHub(): Promise<Readonly<Record<string, unknown>>> {
    const { client } = this.#carrier.hub;
    const objects = [
      ...(await client.list(...ocmKinds.managedClusterAddOn)),
      ...(await client.list(...ocmKinds.manifestWork)),
    ].filter(({ metadata }) => (metadata.namespace ?? '') in this.clusters);
    return Object.fromEntries(
      objects.map(({ kind, metadata, spec }) => [`${kind} ${metadata.namespace}/${metadata.name}`, spec]),
    );
  }

  async mishaps(): Promise<Mishaps> {
    const uids = await this.#uidsNow();
    return {
      early: this.#early(),
      reinstalled: Object.keys(this.clusters).filter((cluster) => uids[cluster] !== this.#uids[cluster]),
    };
  }

  /** The value of each cluster in the working tree. */
  valuesInGit(): readonly string[] {
    if (this.#delivery.rings !== undefined) return this.#valuesOfRings();
    const files = Object.entries(this.clusterFiles());
    return Object.keys(this.clusters).map((cluster) => {
      const ofCluster = files.filter(([file]) => file === `managedclusteraddon_${cluster}_${this.name}.yaml`);
      return ofCluster.map(([, text]) => /^ +value: "?(\w+)"?$/m.exec(text)?.[1] ?? '').join(' ');
    });
  }

  #valuesOfRings(): readonly string[] {
    const folder = path.join(this.#carrier.folder, 'dist', this.name);
    const name = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find(
      (file) => path.basename(file) === `clustermanagementaddon_${this.name}.yaml`,
    );
    const { spec } = parse(readFileSync(path.join(folder, name ?? ''), 'utf8')) as InstalledByRings;
    return Object.values(this.clusters).map(({ ring }) => {
      const placement = spec.installStrategy.placements.find((each) => each.name === ring);
      return placement?.configs.map((config) => config.name.replace(`${this.name}-`, '')).join(' ') ?? '';
    });
  }

  /** The files of the clusters in the working tree, without their folders. */
  clusterFiles(): Record<string, string> {
    const folder = path.join(this.#carrier.folder, 'dist', this.name);
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      path.basename(name).startsWith('managedclusteraddon_'),
    );
    return Object.fromEntries(
      names.sort().map((name) => [path.basename(name), readFileSync(path.join(folder, name), 'utf8')]),
    );
  }

  /** The number of deliveries of a value. */
  deliveriesOf(value: string): number {
    return this.#deliveries.filter((delivery) => delivery.value === value).length;
  }

  #early(): readonly ClusterValue[] {
    return this.#deliveries.filter(
      ({ cluster, value, at }) =>
        !this.#releases.some(
          (release) => release.cluster === cluster && release.value === value && release.at <= at,
        ),
    );
  }

  /** @param before - the values in Git that are not new */
  #noteReleases(at: number, before: readonly string[]): void {
    const now = this.valuesInGit();
    for (const [index, cluster] of Object.keys(this.clusters).entries()) {
      const value = now[index] ?? '';
      if (value !== before[index]) this.#releases.push({ cluster, value, at });
    }
  }

  async #promote(parameters: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<CommandRun> {
    const hub = ['--kubeconfig', this.#carrier.hub.kubeconfig];
    return await this.#run(['promote', this.name, '--commit', ...hub, ...parameters], env);
  }

  async #uidsNow(): Promise<Record<string, string>> {
    return await uidsOn(this.#carrier.hub, this.name, Object.keys(this.clusters));
  }

  async #merge(value: string): Promise<void> {
    const { delivery = 'hub', rings } = this.#delivery;
    const addOn: LittleAddOn = { value, delivery, strategy: this.#strategy, ...(rings && { rings }) };
    writeFiles(this.#carrier.folder, littleApp(this.name, this.clusters, addOn));
    this.#commit(`Version ${value}`);
    const { code, out, err } = await this.#run(['synth']);
    if (code !== 0) throw new Error(`synth ended with ${code}: ${out}${err}`);
    this.#commit(`Compile version ${value}`);
    await this.#carrier.publish();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#end;
    const values = new Map<string, string>();
    const onEvent = ({ type, object }: WatchEvent): void => {
      const { namespace: cluster = '', name } = object.metadata;
      if (!(cluster in this.clusters) || name !== `addon-${this.name}-deploy-0`) return;
      const content = /"data":\{"value":"(\w+)"/.exec(JSON.stringify(object))?.[1] ?? '';
      const value = type === 'DELETED' ? 'deleted' : content;
      const before = values.get(cluster);
      values.set(cluster, value);
      // The watch begins with what is there.
      if (before !== undefined && before !== value) this.#deliveries.push({ cluster, value, at: Date.now() });
    };
    while (!signal.aborted) await this.#carrier.hub.client.watch(...ocmKinds.manifestWork, onEvent, signal);
  }

  #commit(message: string): void {
    const options = { cwd: this.#carrier.folder, env: { ...process.env, ...committer } };
    for (const parameters of [
      ['add', '--all'],
      ['commit', '--quiet', '--allow-empty', '--message', message],
    ]) {
      const { status, stderr } = spawnSync('git', parameters, { ...options, encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
    }
  }

  async #run(parameters: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CommandRun> {
    return await new Promise((resolve) => {
      execFile(
        process.execPath,
        [path.join(root, 'build/cli/main.js'), ...parameters],
        { cwd: this.#carrier.folder, env: { ...process.env, ...committer, ...env } },
        (error, out, err) => resolve({ code: error?.signal ?? error?.code ?? 0, out, err }),
      );
    });
  }
}

interface InstalledByRings {
  readonly spec: {
    readonly installStrategy: {
      readonly placements: readonly {
        readonly name: string;
        readonly configs: readonly { readonly name: string }[];
      }[];
    };
  };
}

/** What must not happen during a promotion. */
export interface Mishaps {
  /** Deliveries to a cluster before their content was committed for it, and deletions. */
  readonly early: readonly object[];
  /** Clusters from which the add-on was uninstalled meanwhile. */
  readonly reinstalled: readonly string[];
}

export const noMishaps: Mishaps = { early: [], reinstalled: [] };

/** A run that ends with this code and prints one line. */
function printed(code: number, words: RegExp): CommandRun {
  return { code, err: '', out: expect.stringMatching(words) as string };
}

/** A promotion of four waves, whose third step is killed and then completed. */
export async function promoteInFourWaves(carrier: Carrier, name: string): Promise<Mishaps> {
  const strategy =
    '{ type: Progressive, progressive: { maxConcurrency: 1, minSuccessTime: 2s, progressDeadline: 10m } }';
  const story = await PromotionStory.begin(carrier, name, strategy);
  try {
    await story.release('b');
    await carrier.hub.agents.set('nothing', `${name}-2`);
    expect(await story.step()).toEqual(printed(3, / advanced: wave 1 of 4 of [0-9a-f]{12} starts, commit/));
    await story.delivers(['b', 'a', 'a', 'a']);
    expect(await story.step()).toEqual(printed(3, / advanced: wave 2 of 4 of /));
    await story.delivers(['b', 'b', 'a', 'a']);
    // The second cluster does not report, so the third one waits.
    expect(await story.promote()).toEqual(printed(4, / waits: wave 2 of 4: 0 of 1 healthy, /));
    await carrier.hub.agents.set('success', `${name}-2`);
    let ended: CommandRun = { code: 4, out: '', err: '' };
    await eventually('the run that releases wave 3 is killed', async () => {
      ended = await story.killed();
      return ended.code === 'SIGKILL' || ended.out + ended.err;
    });
    expect(story.valuesInGit()).toEqual(['b', 'b', 'b', 'a']);
    await carrier.publish();
    await delay(5_000);
    await story.delivers(['b', 'b', 'a', 'a']);
    const completed = await story.resume();
    expect(completed).toEqual(printed(3, / advanced: an earlier run was interrupted: wave 3 of 4 of /));
    await story.delivers(['b', 'b', 'b', 'a']);
    expect(await story.step()).toEqual(printed(3, / advanced: wave 4 of 4 of /));
    await story.delivers(['b', 'b', 'b', 'b']);
    expect(await story.step()).toEqual(
      printed(0, / finished: wave 4 of 4: all clusters are done, the release is completed, commit /),
    );
    expect(await story.promote()).toEqual({
      code: 0,
      out: `${name} finished: all clusters have the content of Git\n`,
      err: '',
    });
    expect(story.deliveriesOf('b')).toBe(4);
    return await story.mishaps();
  } finally {
    story.stop();
  }
}

/** A promotion that fails on the clusters of its second wave, and is rolled back. */
export async function rollBackAfterFailures(carrier: Carrier, name: string): Promise<Mishaps> {
  const strategy =
    '{ type: Progressive, progressive: { maxConcurrency: 2, maxFailures: 1, progressDeadline: 15s } }';
  const story = await PromotionStory.begin(carrier, name, strategy);
  try {
    const before = story.clusterFiles();
    const specs = await story.specsOnHub();
    await story.release('b');
    await carrier.hub.agents.set('failure', `${name}-3`, `${name}-4`);
    expect(await story.step()).toEqual(printed(3, / advanced: wave 1 of 2 of /));
    await story.delivers(['b', 'b', 'a', 'a']);
    await eventually('wave 2 starts', async () => {
      const { code, out } = await story.step();
      return code === 3 || out;
    });
    await story.delivers(['b', 'b', 'b', 'b']);
    let stopped: CommandRun = { code: 4, out: '', err: '' };
    await eventually('the promotion stops', async () => {
      stopped = await story.promote();
      return stopped.code === 1 || stopped.out;
    });
    expect(stopped.out).toContain(
      `"${name}-3", "${name}-4" failed, more than the strategy of ${name} ${name}/everywhere allows\n`,
    );
    const back = await story.promote('--abort');
    expect(back).toEqual(printed(3, / advanced: rollback wave 1 of 2 of /));
    await carrier.publish();
    await story.delivers(['b', 'b', 'a', 'a']);
    await carrier.hub.agents.set('success', `${name}-3`, `${name}-4`);
    await eventually('the second wave is rolled back', async () => {
      const { out } = await story.step();
      return / advanced: rollback wave 2 of 2 of /.test(out) || out;
    });
    await story.delivers(['a', 'a', 'a', 'a']);
    await eventually('the earlier content is restored', async () => {
      const { out } = await story.step();
      return /the earlier content is restored, commit/.test(out) || out;
    });
    expect(story.clusterFiles()).toEqual(before);
    expect(await story.specsOnHub()).toEqual(specs);
    expect(story.deliveriesOf('b')).toBe(4);
    expect(story.deliveriesOf('a')).toBe(4);
    expect(await story.promote()).toEqual({
      code: 1,
      out: `${name} stopped: the content of Git was rolled back: change it, or release it again with --retry\n`,
      err: '',
    });
    return await story.mishaps();
  } finally {
    story.stop();
  }
}

/** A promotion of what the hub delivers, ring by ring, which fails in its second ring and is rolled back. */
export async function rollBackRings(carrier: Carrier, name: string): Promise<Mishaps> {
  const strategy =
    '{ type: Progressive, progressive: { maxConcurrency: 1, maxFailures: 0, progressDeadline: 40s } }';
  const story = await PromotionStory.begin(carrier, name, strategy, ofTheHub);
  try {
    await story.release('b');
    await carrier.hub.agents.set('nothing', `${name}-1`);
    expect(await story.step()).toEqual(printed(3, / advanced: wave 1 of 3 of [0-9a-f]{12} starts, commit/));
    await story.delivers(['b', 'a', 'a', 'a']);
    expect(await story.promote()).toEqual(printed(4, / waits: wave 1 of 3: 0 of 1 healthy, /));
    await carrier.hub.agents.set('success', `${name}-1`);
    await carrier.hub.agents.set('failure', `${name}-2`);
    expect(await story.step()).toEqual(printed(3, / advanced: wave 2 of 3 of /));
    // The hub itself rolls out within the ring, and stops.
    await story.delivers(['b', 'b', 'a', 'a']);
    let stopped: CommandRun = { code: 4, out: '', err: '' };
    await eventually('the promotion stops', async () => {
      stopped = await story.promote();
      return stopped.code === 1 || stopped.out;
    });
    expect(stopped.out).toContain(
      `"${name}-2" failed, more than the strategy of ${name} ${name}/second allows\n`,
    );
    await carrier.hub.agents.set('success', `${name}-2`);
    expect(await story.promote('--abort')).toEqual(printed(3, / advanced: rollback wave 1 of 2 of /));
    await carrier.publish();
    await story.delivers(['b', 'a', 'a', 'a']);
    expect(await story.step()).toEqual(printed(3, / advanced: rollback wave 2 of 2 of /));
    await story.delivers(['a', 'a', 'a', 'a']);
    expect(await story.step()).toEqual(printed(0, / the earlier content is restored, commit /));
    await story.promote('--retry');
    for (const wave of [1, 2, 3])
      expect(await story.step()).toEqual(printed(3, new RegExp(` advanced: wave ${wave} of 3 of `)));
    await story.delivers(['b', 'b', 'b', 'b']);
    expect(await story.step()).toEqual(printed(0, / the release is completed, commit /));
    return await story.mishaps();
  } finally {
    story.stop();
  }
}
