import { setMaxListeners } from 'node:events';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import type { ApiClient } from './api-client.ts';
import { ocmKinds, role, roleBinding, serviceAccount, type KindOf } from './kinds.ts';

/** Everything that OCM's controllers write as an answer to what is applied. */
const watchedKinds: readonly KindOf[] = [...Object.values(ocmKinds), roleBinding, role, serviceAccount];

/** How long nothing may change for the hub to count as still, and how long to wait for that. In milliseconds of an idle machine. */
export interface Patience {
  readonly quiet: number;
  readonly atMost: number;
}

/** Milliseconds between two requests while a test waits for the hub. */
const moment = 50;
/** Milliseconds that an idle hub takes for an answer on the machine on which these times were measured. */
const usualAnswer = 4;
/** The largest slowdown: beyond it, deadlines of rollouts would pass while a test waits. */
const slowest = 6;

/** Returns how much longer everything takes than on an idle machine, judged by the load of the last minute. */
function slownessOfMachine(): number {
  return Math.min(4, (os.loadavg()[0] ?? 0) / os.availableParallelism());
}

/** Knows when the hub has come to rest on a part of its objects. */
export interface Follower {
  /** Returns whether the hub came to rest in time. Some inputs never do: the hub keeps changing its mind. */
  still(patience: Patience): Promise<boolean>;
  /** Lets time pass, in milliseconds of an idle machine. */
  pass(ms: number): Promise<void>;
}

interface Followed {
  readonly belongs: (object: KubernetesObject) => boolean;
  changes: number;
}

/** Follows what changes on the hub. */
export class HubWatch {
  readonly #client: ApiClient;
  readonly #end = new AbortController();
  readonly #followed = new Set<Followed>();
  #failure: Error | undefined;

  constructor(client: ApiClient) {
    this.#client = client;
    setMaxListeners(watchedKinds.length, this.#end.signal);
    for (const [apiVersion, kind] of watchedKinds) {
      const followers = this.#followed;
      const onChange = (object: KubernetesObject): void => {
        for (const followed of followers) if (followed.belongs(object)) followed.changes += 1;
      };
      this.#watch(client, apiVersion, kind, onChange).catch((error: unknown) => {
        this.#failure ??= error instanceof Error ? error : new Error(String(error));
      });
    }
  }

  /** A watch that the API server ends begins anew. All objects come again then, and count as changed: none is missed. */
  async #watch(
    client: ApiClient,
    apiVersion: string,
    kind: string,
    onChange: (object: KubernetesObject) => void,
  ): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) await client.watch(apiVersion, kind, ({ object }) => onChange(object), signal);
  }

  /** Runs something while the changes of some objects are followed. */
  async follow<T>(
    belongs: (object: KubernetesObject) => boolean,
    run: (follower: Follower) => Promise<T>,
  ): Promise<T> {
    const followed = { belongs, changes: 0 };
    this.#followed.add(followed);
    try {
      return await run({
        still: (patience) => this.#still(followed, patience),
        pass: async (ms) => {
          for (let passed = 0; passed < ms;) passed += await this.#moment();
        },
      });
    } finally {
      this.#followed.delete(followed);
    }
  }

  close(): void {
    this.#end.abort();
  }

  async #still(followed: Followed, { quiet, atMost }: Patience): Promise<boolean> {
    let [rested, waited] = [0, 0];
    while (rested < quiet) {
      if (waited >= atMost) return false;
      const before = followed.changes;
      const passed = await this.#moment();
      waited += passed;
      rested = followed.changes === before ? rested + passed : 0;
    }
    return true;
  }

  /**
   * Lets a moment pass, and the hub answer a request. Returns for how many milliseconds of an idle machine it counts: for less
   * where the hub is slow, and for no more where the machine stood still.
   */
  async #moment(): Promise<number> {
    if (this.#failure !== undefined) throw this.#failure;
    const asked = performance.now();
    let answered = asked;
    const answer = this.#client.read('/api/v1/namespaces/default').then(() => (answered = performance.now()));
    await Promise.all([answer, delay(moment)]);
    const slowness = Math.max(1, (answered - asked) / usualAnswer, slownessOfMachine());
    return moment / Math.min(slowest, slowness);
  }
}
