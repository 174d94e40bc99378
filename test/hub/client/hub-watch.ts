import { setMaxListeners } from 'node:events';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '../../../schemas/object-meta.ts';
import type { ApiClient } from './api-client.ts';
import { ocmKinds, roleBinding, type KindOf } from './kinds.ts';

/** Everything that OCM's controllers write as an answer to what is applied. */
const watchedKinds: readonly KindOf[] = [...Object.values(ocmKinds), roleBinding];

/** How long nothing may change for the hub to count as still, and how long to wait for that. In milliseconds of an idle machine. */
export interface Patience {
  readonly quiet: number;
  readonly atMost: number;
}

/** How much longer everything takes than on an idle machine, as far as the load of the last minute tells. */
function slownessOfMachine(): number {
  const perCore = (os.loadavg()[0] ?? 0) / os.availableParallelism();
  return Math.min(4, Math.max(1, perCore));
}

/** Knows when the hub has come to rest on a part of its objects. */
export interface Follower {
  /** Returns whether the hub came to rest in time. Some inputs never do: the hub keeps changing its mind. */
  still(patience: Patience): Promise<boolean>;
}

interface Followed {
  readonly belongs: (object: KubernetesObject) => boolean;
  lastChange: number;
}

/** Follows what changes on the hub. */
export class HubWatch {
  readonly #end = new AbortController();
  readonly #followed = new Set<Followed>();
  #failure: Error | undefined;

  constructor(client: ApiClient) {
    setMaxListeners(watchedKinds.length, this.#end.signal);
    for (const [apiVersion, kind] of watchedKinds) {
      const followers = this.#followed;
      const onChange = (object: KubernetesObject): void => {
        for (const followed of followers) if (followed.belongs(object)) followed.lastChange = Date.now();
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
    const followed = { belongs, lastChange: Date.now() };
    this.#followed.add(followed);
    try {
      return await run({ still: (patience) => this.#still(followed, patience) });
    } finally {
      this.#followed.delete(followed);
    }
  }

  close(): void {
    this.#end.abort();
  }

  async #still(followed: Followed, { quiet, atMost }: Patience): Promise<boolean> {
    const started = Date.now();
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      const slowness = slownessOfMachine();
      const rest = Math.max(followed.lastChange, started) + quiet * slowness - Date.now();
      if (rest <= 0) return true;
      if (Date.now() - started > atMost * slowness) return false;
      await delay(rest);
    }
  }
}
