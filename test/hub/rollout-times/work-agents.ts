import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { ApiError } from '../client/api-client.ts';
import type { Hub } from '../client/hub.ts';
import { ocmKinds } from '../client/kinds.ts';

/** What the work agent of a cluster does with a work: milliseconds until all of it is available, or no success. */
export type Behavior = number | 'fails' | 'is silent';

/** A work that the hub has written, for the first time with this content. */
export interface WrittenWork {
  readonly cluster: string;
  readonly content: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface ObservedWork extends KubernetesObject {
  readonly spec: object;
  readonly status?: { readonly conditions?: readonly { readonly observedGeneration?: number }[] };
}

/**
 * Plays OCM's work agents, which answer while the hub rolls out. As manifestwork_controller and availablestatus_controller: first
 * Applied, in a separate request Available, and nothing for a work whose generation they have reported.
 */
export class WorkAgents {
  readonly works: WrittenWork[] = [];
  readonly #hub: Hub;
  readonly #belongs: (object: KubernetesObject) => boolean;
  readonly #end = new AbortController();
  readonly #reported = new Map<string, number>();
  readonly #contents = new Set<string>();
  readonly #watch: Promise<void>;
  /** Replaced between an installation and an update. */
  behaviorOf: (cluster: string) => Behavior;

  constructor(
    hub: Hub,
    belongs: (object: KubernetesObject) => boolean,
    behaviorOf: (cluster: string) => Behavior,
  ) {
    this.#hub = hub;
    this.#belongs = belongs;
    this.behaviorOf = behaviorOf;
    this.#watch = this.#follow();
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#watch;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await this.#hub.client.watch(
        ...ocmKinds.manifestWork,
        ({ type, object }) => {
          if ((type === 'ADDED' || type === 'MODIFIED') && this.#belongs(object))
            this.#see(object as ObservedWork);
        },
        signal,
      );
    }
  }

  #see(work: ObservedWork): void {
    const { namespace: cluster = '', name = '', uid = '', generation = 0 } = work.metadata;
    const content = JSON.stringify(work.spec);
    if (!this.#contents.has(`${cluster} ${content}`)) {
      this.#contents.add(`${cluster} ${content}`);
      this.works.push({ cluster, content, at: Date.now() });
    }
    const key = `${cluster}/${name}/${uid}`;
    if ((this.#reported.get(key) ?? 0) >= generation) return;
    this.#reported.set(key, generation);
    void this.#report(work, this.behaviorOf(cluster));
  }

  async #report(work: ObservedWork, behavior: Behavior): Promise<void> {
    if (behavior === 'is silent') return;
    const condition = (type: string, status: 'True' | 'False'): object => ({
      type,
      status,
      reason: 'Reported',
      message: 'as reported',
      observedGeneration: work.metadata.generation,
      lastTransitionTime: new Date().toISOString(),
    });
    const applied = condition('Applied', 'True');
    await this.#write(work, [applied]);
    if (typeof behavior === 'number') await delay(behavior);
    await this.#write(work, [applied, condition('Available', behavior === 'fails' ? 'False' : 'True')]);
  }

  async #write(work: KubernetesObject, conditions: readonly object[]): Promise<void> {
    if (this.#end.signal.aborted) return;
    try {
      await this.#hub.client.merge(work, { status: { conditions } }, 'status');
    } catch (error) {
      // The scenario is being removed.
      if (!(error instanceof ApiError && error.refusal.code === 404)) throw error;
    }
  }
}
