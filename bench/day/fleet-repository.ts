import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import type { FleetStatus } from '../../src/compiler/index.ts';
import { GitRepository } from '../../test/e2e/repository.ts';
import { ApiError, type ApiClient } from '../../test/hub/client/api-client.ts';
import { parseObjects } from '../../test/hub/record/scenario.ts';
import { atATime } from '../at-a-time.ts';
import { processCost, type ProcessCost } from '../process-cost.ts';

const program = path.join(import.meta.dirname, '../../build/cli/main.js');

/** Exit codes by which commands say that something is not as predicted, and that a promotion waits. */
const exitCodes: Readonly<Record<string, readonly number[]>> = { status: [0, 1], promote: [0, 3, 4] };
const committer = {
  GIT_AUTHOR_NAME: 'Day',
  GIT_AUTHOR_EMAIL: 'day@example.com',
  GIT_COMMITTER_NAME: 'Day',
  GIT_COMMITTER_EMAIL: 'day@example.com',
};

/** A command of Fleetwright, and what one run of it cost. */
export interface CommandRun extends Pick<ProcessCost, 'seconds' | 'cpuSeconds' | 'peakMemory'> {
  readonly command: string;
}

/** The Git repository of the fleet, the jobs that run in it, and the engine that applies its output to the hub. */
export class FleetRepository {
  /** Every command so far. */
  readonly runs: CommandRun[] = [];
  readonly #hub: ApiClient;
  readonly #kubeconfig: string;
  readonly #repository = new GitRepository();
  /** The text of each file that is applied, and the objects in it by their keys. */
  readonly #applied = new Map<
    string,
    { readonly text: string; readonly objects: ReadonlyMap<string, Applied> }
  >();

  constructor(hub: ApiClient, kubeconfig: string) {
    this.#hub = hub;
    this.#kubeconfig = kubeconfig;
  }

  commit(message: string, files: Readonly<Record<string, string>>): void {
    this.#repository.commit(message, files);
  }

  /** Writes the fleet of the hub, compiles, and commits both. */
  async pullAndSynth(message: string): Promise<void> {
    await this.#run('fleet', 'pull', '--out', 'fleet.json', '--kubeconfig', this.#kubeconfig);
    await this.#run('synth');
    this.#repository.commit(message, {});
  }

  /**
   * Runs the promotions once.
   *
   * @returns what it prints
   */
  async promote(): Promise<string> {
    return await this.#run('promote', '--commit', '--kubeconfig', this.#kubeconfig);
  }

  async status(): Promise<FleetStatus> {
    const options = ['-o', 'json', '--hub-version', '1.2', '--kubeconfig', this.#kubeconfig];
    return JSON.parse(await this.#run('status', ...options)) as FleetStatus;
  }

  /**
   * Applies what the output of `synth` has now and had not before, and deletes what it no longer has, as engines do.
   *
   * @returns the number of writes
   */
  async apply(): Promise<number> {
    const files = this.#emittedFiles();
    const writes: (() => Promise<void>)[] = [];
    const present = new Set<string>();
    const gone: Applied[] = [];
    for (const [file, text] of files) {
      const before = this.#applied.get(file);
      if (before?.text === text) {
        for (const key of before.objects.keys()) present.add(key);
        continue;
      }
      const objects = appliedObjects(text);
      for (const [key, each] of objects) {
        present.add(key);
        if (before?.objects.get(key)?.text !== each.text)
          writes.push(async () => void (await this.#hub.apply(each.object)));
      }
      gone.push(...(before?.objects.values() ?? []));
      this.#applied.set(file, { text, objects });
    }
    for (const [file, { objects }] of this.#applied)
      if (!files.has(file)) {
        gone.push(...objects.values());
        this.#applied.delete(file);
      }
    const deleted = gone.filter(({ object }) => !present.has(keyOf(object)));
    writes.push(
      ...deleted.map(
        ({ object }) =>
          async () =>
            await this.#hub.delete(object),
      ),
    );
    await atATime(writes, 24, answered);
    return writes.length;
  }

  /** Counts what is applied for a cluster as applied for others: the hub has the same objects for them. */
  copyApplied(model: string, names: readonly string[]): void {
    const ofModel = [...this.#applied].filter(([file]) => file.includes(model));
    for (const name of names)
      for (const [file, { text }] of ofModel) {
        const copy = text.replaceAll(model, name);
        this.#applied.set(file.replaceAll(model, name), { text: copy, objects: appliedObjects(copy) });
      }
  }

  remove(): void {
    this.#repository.remove();
  }

  /** The text of every file with objects, definitions before the objects of clusters. */
  #emittedFiles(): ReadonlyMap<string, string> {
    const folder = path.join(this.#repository.root, 'dist');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.yaml') && !/(?:^|\/)(?:kustomization|resolution)\.yaml$/.test(name))
      .sort((a, b) => Number(isOfCluster(a)) - Number(isOfCluster(b)) || (a < b ? -1 : 1));
    return new Map(names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
  }

  async #run(...parameters: readonly string[]): Promise<string> {
    const command = parameters[0] === 'fleet' ? 'fleet pull' : (parameters[0] ?? '');
    const { out, seconds, cpuSeconds, peakMemory } = await processCost(
      process.execPath,
      [program, ...parameters],
      {
        cwd: this.#repository.root,
        keepsOutput: true,
        exitCodes: exitCodes[command] ?? [0],
        env: committer,
      },
    );
    this.runs.push({ command, seconds, cpuSeconds, peakMemory });
    return out;
  }
}

interface Applied {
  readonly object: KubernetesObject;
  readonly text: string;
}

function appliedObjects(text: string): ReadonlyMap<string, Applied> {
  return new Map(
    parseObjects(text).map((object) => [keyOf(object), { object, text: JSON.stringify(object) }]),
  );
}

function keyOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

function isOfCluster(file: string): boolean {
  return file.includes('/clusters/');
}

/** Writes again while the API server is away, or before it has made the namespace of a new cluster. */
async function answered(write: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      await write();
      return;
    } catch (error) {
      const isRefused =
        error instanceof ApiError && ![404, 409, 429, 500, 503, 504].includes(error.refusal.code);
      if (isRefused || attempt === 60) throw error;
      await delay(1000);
    }
}
