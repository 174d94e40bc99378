import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import type { ApiClient } from '../client/api-client.ts';
import { ocmKinds } from '../client/kinds.ts';
import type { RequiredGraph } from './required-graph.ts';

/** A manifest of an add-on that appears on a cluster, or goes. */
interface Change {
  readonly cluster: string;
  readonly addOn: string;
  readonly isCreated: boolean;
  /** Milliseconds since the epoch, in whole seconds: when the API server of the cluster created it. */
  readonly time: number;
}

/**
 * Watches the manifests on managed clusters, in the order in which their API servers change them, and when the hub reports add-ons as
 * Available.
 */
export class DeliveredOrder {
  readonly #changes: Change[] = [];
  readonly #available = new Map<string, number>();
  readonly #end = new AbortController();

  constructor(hub: ApiClient, clusters: ReadonlyMap<string, ApiClient>) {
    this.#watch(hub, ...ocmKinds.managedClusterAddOn, (object) => this.#note(object));
    for (const [cluster, client] of clusters)
      this.#watch(client, 'v1', 'ConfigMap', ({ metadata }, type) => {
        const { name = '', labels, creationTimestamp = '' } = metadata;
        if (labels?.['graph'] === undefined || type === 'MODIFIED') return;
        const change = { cluster, addOn: name.replace(/-late$/, ''), isCreated: type === 'ADDED' };
        this.#changes.push({ ...change, time: Date.parse(creationTimestamp) });
      });
  }

  close(): void {
    this.#end.abort();
  }

  /** The number of changes of a graph on clusters. */
  countOf({ addOns }: RequiredGraph): number {
    const names = new Set(addOns.map(({ name }) => name));
    return this.#changes.filter(({ addOn }) => names.has(addOn)).length;
  }

  /** Returns what was delivered before a required add-on was Available, and what was left after it. */
  violations({ addOns }: RequiredGraph): readonly string[] {
    const violations: string[] = [];
    const present = new Map<string, number>();
    const requires = new Map(addOns.map((each) => [each.name, each.requires]));
    for (const { cluster, addOn, isCreated, time } of this.#changes) {
      const required = requires.get(addOn);
      if (required === undefined) continue;
      const key = `${cluster}/${addOn}`;
      present.set(key, (present.get(key) ?? 0) + (isCreated ? 1 : -1));
      if (isCreated)
        for (const other of required) {
          const since = this.#available.get(`${cluster}/${other}`);
          if (since === undefined || since > time)
            violations.push(`${cluster}: ${addOn} is delivered before ${other} is Available`);
        }
      else
        for (const { name, requires: ofOther } of addOns)
          if (ofOther.includes(addOn) && (present.get(`${cluster}/${name}`) ?? 0) > 0)
            violations.push(`${cluster}: ${name} is left after ${addOn}`);
    }
    return violations;
  }

  /** Remembers when an add-on became Available for the first time. */
  #note({ metadata, ...object }: KubernetesObject): void {
    const { conditions = [] } =
      (object as { status?: { conditions?: readonly AddOnCondition[] } }).status ?? {};
    const available = conditions.find(({ type }) => type === 'Available');
    const key = `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
    if (available?.status === 'True' && !this.#available.has(key))
      this.#available.set(key, Date.parse(available.lastTransitionTime));
  }

  /** A watch that ends would lose deletions, so it must not end before the test. */
  #watch(
    client: ApiClient,
    apiVersion: string,
    kind: string,
    onChange: (object: KubernetesObject, type: string) => void,
  ): void {
    const { signal } = this.#end;
    const running = client.watch(apiVersion, kind, ({ object, type }) => onChange(object, type), signal);
    void running.then(
      () => this.#fail(kind),
      () => this.#fail(kind),
    );
  }

  #fail(kind: string): void {
    if (!this.#end.signal.aborted) throw new Error(`the watch of ${kind} ended`);
  }
}

interface AddOnCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime: string;
}
