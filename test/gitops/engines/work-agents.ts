import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import type { ApiClient } from '../../hub/client/api-client.ts';
import { ocmKinds } from '../../hub/client/kinds.ts';
import { reportWork } from '../../hub/companion/work-agent.ts';

/** What the agent of a cluster reports of new works: success, failure, or nothing. */
export type Report = 'success' | 'failure' | 'nothing';

/** How long an agent takes for a work that has changed, in milliseconds. */
export interface AgentDelays {
  /** Until it reports that the manifests are applied. What it reported of their availability before stays until then. */
  readonly applied: number;
  /** From then on, until it reports that they are available. */
  readonly available: number;
}

/** Plays the work agents of clusters that exist only on the hub: each work is reported as soon as it changes, or after delays. */
export class WorkAgents {
  readonly #client: ApiClient;
  readonly #except: string;
  readonly #end = new AbortController();
  readonly #reports = new Map<string, Report>();
  /** What of each work was reported last. */
  readonly #reported = new Map<string, string>();
  readonly #works = new Map<string, KubernetesObject>();
  readonly #watching: Promise<void>;
  #delaysOf: ((work: KubernetesObject) => AgentDelays) | undefined;
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

  /** Sets how long the agents take for works that change from now on, if they report success. */
  delay(delaysOf: (work: KubernetesObject) => AgentDelays): void {
    this.#delaysOf = delaysOf;
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
    if (report === 'success' && this.#delaysOf !== undefined) {
      await this.#reportLate(work, this.#delaysOf(work));
      return;
    }
    const isWell = report === 'success' ? 'True' : 'False';
    const ready = report === 'success' ? 1 : 0;
    await reportWork(this.#client, work, { Applied: isWell, Available: isWell }, ready);
  }

  /** As OCM's agent, whose controllers of both conditions write one after the other. */
  async #reportLate(work: KubernetesObject, { applied, available }: AgentDelays): Promise<void> {
    await delay(applied);
    if (!this.#isLatest(work)) return;
    const { conditions = [] } = (this.#works.get(key(work))?.['status'] ?? {}) as ReportedWork;
    const others = conditions.filter(({ type }) => type !== 'Applied');
    const newest = { ...condition('Applied'), observedGeneration: work.metadata.generation };
    await this.#client.merge(work, { status: { conditions: [newest, ...others] } }, 'status');
    await delay(available);
    if (this.#isLatest(work)) await reportWork(this.#client, work, { Applied: 'True', Available: 'True' }, 1);
  }

  #isLatest(work: KubernetesObject): boolean {
    const { uid, generation } = this.#works.get(key(work))?.metadata ?? {};
    return !this.#end.signal.aborted && uid === work.metadata.uid && generation === work.metadata.generation;
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

interface ReportedWork {
  readonly conditions?: readonly { readonly type: string }[];
}

function condition(type: string): object {
  return {
    type,
    status: 'True',
    reason: 'Reported',
    message: 'as reported',
    lastTransitionTime: '2026-11-21T00:00:00Z',
  };
}

function key({ metadata }: KubernetesObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
