import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import type { ApiClient } from '../client/api-client.ts';
import { ocmKinds } from '../client/kinds.ts';
import {
  changeOf,
  contentOf,
  isAsNew,
  namesIn,
  requiredBy,
  type Content,
  type RequiredGraph,
} from './required-graph.ts';

/** A manifest of an add-on that a cluster gets, changes or loses. */
interface Change {
  readonly cluster: string;
  readonly addOn: string;
  /** Whether it is the manifest that every cluster can have at once. The add-on is on a cluster as long as it is. */
  readonly isFirst: boolean;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly content: Content;
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
  /** The last content of each manifest. The agent changes other fields of them, too. */
  readonly #contents = new Map<string, string>();
  readonly #end = new AbortController();

  constructor(hub: ApiClient, clusters: ReadonlyMap<string, ApiClient>) {
    this.#watch(hub, ...ocmKinds.managedClusterAddOn, (object) => this.#note(object));
    for (const [cluster, client] of clusters)
      this.#watch(client, 'v1', 'ConfigMap', ({ metadata, ...object }, type) => {
        const { name = '', labels, creationTimestamp = '' } = metadata;
        if (labels?.['graph'] === undefined || !isChange(type)) return;
        const { template = '', variables = '' } =
          (object as { data?: Readonly<Record<string, string>> }).data ?? {};
        const addOn = name.replace(/-late$/, '');
        const content = { template: Number(template), variables: Number(variables) };
        const key = `${cluster}/${metadata.namespace ?? ''}/${name}`;
        const text = JSON.stringify(content);
        if (type === 'MODIFIED' && this.#contents.get(key) === text) return;
        this.#contents.set(key, text);
        const time = Date.parse(creationTimestamp);
        this.#changes.push({ cluster, addOn, isFirst: addOn === name, type, content, time });
      });
  }

  close(): void {
    this.#end.abort();
  }

  /** The number of manifests of a graph that clusters got and lost. */
  countOf(graph: RequiredGraph): number {
    return this.#changesOf(graph).filter(({ type }) => type !== 'MODIFIED').length;
  }

  /** The number of manifests of a graph that changed on clusters. */
  updatesOf(graph: RequiredGraph): number {
    return this.#changesOf(graph).filter(({ type }) => type === 'MODIFIED').length;
  }

  /**
   * Returns what was delivered before a required add-on was Available, what was updated before it, and what was left after it.
   */
  violations(graph: RequiredGraph): readonly string[] {
    const violations: string[] = [];
    const onClusters = new Map<string, Content>();
    for (const { cluster, addOn, isFirst, type, content, time } of this.#changesOf(graph)) {
      if (type === 'DELETED') {
        // The agent moves the other manifest of an add-on with each change.
        if (!isFirst) continue;
        onClusters.delete(`${cluster}/${addOn}`);
        for (const name of namesIn(graph)) {
          const other = onClusters.get(`${cluster}/${name}`);
          if (other !== undefined && requiredBy(graph, name, other).includes(addOn))
            violations.push(`${cluster}: ${name} is left after ${addOn}`);
        }
        continue;
      }
      if (isFirst) onClusters.set(`${cluster}/${addOn}`, content);
      for (const other of requiredBy(graph, addOn, content)) {
        const since = this.#available.get(`${cluster}/${other}`);
        if (type === 'ADDED' && (since === undefined || since > time))
          violations.push(`${cluster}: ${addOn} is delivered before ${other} is Available`);
        const actual = onClusters.get(`${cluster}/${other}`);
        if (actual === undefined || !isAsNew(actual, contentOf(graph, other, changeOf(content))))
          violations.push(`${cluster}: change ${changeOf(content)} of ${addOn} is delivered before ${other}`);
      }
    }
    return violations;
  }

  #changesOf(graph: RequiredGraph): readonly Change[] {
    const names = namesIn(graph);
    return this.#changes.filter(({ addOn }) => names.has(addOn));
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

function isChange(type: string): type is Change['type'] {
  return type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED';
}
