import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import type { ApiClient } from '../../hub/client/api-client.ts';
import { ocmKinds } from '../../hub/client/kinds.ts';
import { reportWork } from '../../hub/companion/work-agent.ts';

/** What the agent of a cluster reports of new works: success, failure, or nothing. */
export type Report = 'success' | 'failure' | 'nothing';

/** Plays the work agents of clusters that exist only on the hub: each work is reported as soon as it changes. */
export class WorkAgents {
  readonly #client: ApiClient;
  readonly #except: string;
  readonly #end = new AbortController();
  readonly #reports = new Map<string, Report>();
  /** What of each work was reported last. */
  readonly #reported = new Map<string, string>();
  readonly #works = new Map<string, KubernetesObject>();
  readonly #watching: Promise<void>;
  #failure: Error | undefined;

  /** @param except - a cluster with an agent */
  constructor(client: ApiClient, except: string) {
    this.#client = client;
    this.#except = except;
    this.#watching = this.#watch();
  }

  /** Sets what the agents of some clusters report from now on, also of works that they have. */
  async set(report: Report, ...clusters: readonly string[]): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    for (const cluster of clusters) this.#reports.set(cluster, report);
    for (const work of this.#works.values())
      if (clusters.includes(work.metadata.namespace ?? '')) await this.#report(work);
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#watching;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#end;
    const [apiVersion, kind] = ocmKinds.manifestWork;
    try {
      while (!signal.aborted)
        await this.#client.watch(apiVersion, kind, (event) => void this.#follow(event), signal);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #follow({
    type,
    object,
  }: {
    readonly type: string;
    readonly object: KubernetesObject;
  }): Promise<void> {
    const { namespace = '' } = object.metadata;
    if (namespace === this.#except) return;
    try {
      if (type === 'DELETED') {
        this.#works.delete(key(object));
        this.#reported.delete(key(object));
      } else if (type === 'ADDED' || type === 'MODIFIED') {
        this.#works.set(key(object), object);
        await (object.metadata.deletionTimestamp === undefined
          ? this.#report(object)
          : this.#release(object));
      }
    } catch (error) {
      // The work may be gone by now.
      if (!/: 404 /.test(String(error))) this.#fail(error);
    }
  }

  async #report(work: KubernetesObject): Promise<void> {
    const report = this.#reports.get(work.metadata.namespace ?? '') ?? 'success';
    const content = JSON.stringify([
      report,
      work.metadata.uid,
      work.metadata.generation,
      work.metadata.annotations,
    ]);
    if (report === 'nothing' || this.#reported.get(key(work)) === content) return;
    this.#reported.set(key(work), content);
    const isWell = report === 'success' ? 'True' : 'False';
    const ready = report === 'success' ? 1 : 0;
    await reportWork(this.#client, work, { Applied: isWell, Available: isWell }, ready);
  }

  /** An agent removes what a work brought, and lets the work go. */
  async #release(work: KubernetesObject): Promise<void> {
    if ((work.metadata.finalizers ?? []).length > 0)
      await this.#client.merge(work, { metadata: { finalizers: null } });
  }

  #fail(error: unknown): void {
    if (!this.#end.signal.aborted)
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
  }
}

function key({ metadata }: KubernetesObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
