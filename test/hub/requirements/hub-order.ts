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

/** What a ManagedClusterAddOn or a work is from a revision of the API server on. */
interface Change {
  readonly revision: number;
  readonly cluster: string;
  readonly addOn: string;
  readonly kind: 'ManagedClusterAddOn' | 'ManifestWork';
  /** Whether it is deleted, or about to be. */
  readonly isDeleted: boolean;
  /** Whether the ManagedClusterAddOn is Available; whether the latest generation of the work is Applied and Available. */
  readonly isAvailable: boolean;
  readonly content?: Content;
}

/** What the hub has of an add-on on a cluster. */
interface State {
  isAvailable: boolean;
  work?: { readonly content: Content; readonly isAvailable: boolean };
}

/** What happened to the works of a graph on the hub. */
export interface HubCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
}

/**
 * Watches the works and the ManagedClusterAddOns of a hub. Their revisions are those of one database, so that the order of changes of both
 * kinds is exact.
 */
export class HubOrder {
  readonly #changes: Change[] = [];
  readonly #end = new AbortController();
  #failure: Error | undefined;

  constructor(hub: ApiClient) {
    for (const [apiVersion, kind] of [ocmKinds.managedClusterAddOn, ocmKinds.manifestWork])
      this.#watch(hub, apiVersion, kind);
  }

  close(): void {
    this.#end.abort();
  }

  /** Whether the hub has a work or a ManagedClusterAddOn of some add-ons. */
  has(addOns: readonly string[]): boolean {
    const last = new Map<string, boolean>();
    for (const { kind, cluster, addOn, isDeleted } of this.#sorted(new Set(addOns)))
      last.set(`${kind} ${cluster}/${addOn}`, !isDeleted);
    return [...last.values()].includes(true);
  }

  /**
   * Returns the number of changes of works, and those that break a requirement: works that were created or changed before a required add-on
   * had its content of the same change and was Available with it, and works that were left after a required add-on.
   */
  judge(graph: RequiredGraph): HubCounts & { readonly violations: readonly string[] } {
    if (this.#failure !== undefined) throw this.#failure;
    const names = namesIn(graph);
    const replay = new Replay(graph, names);
    for (const change of this.#sorted(names)) replay.add(change);
    return { ...replay.counts, violations: replay.violations };
  }

  #sorted(addOns: ReadonlySet<string>): readonly Change[] {
    return this.#changes.filter(({ addOn }) => addOns.has(addOn)).toSorted((a, b) => a.revision - b.revision);
  }

  /** A watch that ends would lose deletions, so it must not end before the test. */
  #watch(hub: ApiClient, apiVersion: string, kind: string): void {
    const { signal } = this.#end;
    const end = (): void => {
      if (!signal.aborted) this.#failure ??= new Error(`the watch of ${kind} ended`);
    };
    void hub.watch(apiVersion, kind, ({ type, object }) => this.#note(type, object), signal).then(end, end);
  }

  #note(type: string, object: KubernetesObject): void {
    const { namespace: cluster = '', name = '', labels, generation, deletionTimestamp } = object.metadata;
    const addOn = object.kind === 'ManifestWork' ? labels?.['open-cluster-management.io/addon-name'] : name;
    if (addOn === undefined || type === 'BOOKMARK') return;
    const { status = {} } = object as { readonly status?: { readonly conditions?: readonly Condition[] } };
    const isTrue = (wanted: string, isLatest: boolean): boolean =>
      (status.conditions ?? []).some(
        ({ type: found, status: value, observedGeneration }) =>
          found === wanted && value === 'True' && (!isLatest || observedGeneration === generation),
      );
    const content = contentIn(object);
    this.#changes.push({
      revision: Number((object.metadata as { readonly resourceVersion?: string }).resourceVersion),
      cluster,
      addOn,
      kind: object.kind === 'ManifestWork' ? 'ManifestWork' : 'ManagedClusterAddOn',
      isDeleted: type === 'DELETED' || deletionTimestamp !== undefined,
      isAvailable:
        object.kind === 'ManifestWork'
          ? isTrue('Applied', true) && isTrue('Available', true)
          : isTrue('Available', false),
      ...(content && { content }),
    });
  }
}

/** The changes of a graph, one after the other. */
class Replay {
  readonly counts = { created: 0, updated: 0, deleted: 0 };
  readonly violations: string[] = [];
  readonly #graph: RequiredGraph;
  readonly #names: ReadonlySet<string>;
  readonly #states = new Map<string, State>();

  constructor(graph: RequiredGraph, names: ReadonlySet<string>) {
    this.#graph = graph;
    this.#names = names;
  }

  add({ kind, cluster, addOn, isDeleted, isAvailable, content }: Change): void {
    const state = this.#stateOf(cluster, addOn);
    if (kind === 'ManagedClusterAddOn') {
      state.isAvailable = isAvailable && !isDeleted;
    } else if (isDeleted) {
      if (state.work !== undefined) this.#remove(cluster, addOn, state);
    } else {
      if (content === undefined) throw new Error(`the work of ${addOn} on ${cluster} has no content`);
      const verb = state.work === undefined ? 'created' : 'updated';
      if (state.work === undefined || !isAsNew(state.work.content, content)) {
        this.counts[verb] += 1;
        this.#deliver(cluster, addOn, content, verb);
      }
      state.work = { content, isAvailable };
    }
  }

  #deliver(cluster: string, addOn: string, content: Content, verb: string): void {
    const change = changeOf(content);
    for (const name of requiredBy(this.#graph, addOn, content)) {
      const required = this.#stateOf(cluster, name);
      const hasContent =
        required.work?.isAvailable === true &&
        isAsNew(required.work.content, contentOf(this.#graph, name, change));
      if (!required.isAvailable || !hasContent)
        this.violations.push(
          `${cluster}: the work of ${addOn} is ${verb} by change ${change} before ${name} is Available: ${JSON.stringify(required)}`,
        );
    }
  }

  #remove(cluster: string, addOn: string, state: State): void {
    this.counts.deleted += 1;
    delete state.work;
    for (const name of this.#names) {
      const { work } = this.#stateOf(cluster, name);
      if (work !== undefined && requiredBy(this.#graph, name, work.content).includes(addOn))
        this.violations.push(`${cluster}: ${name} is left after ${addOn}`);
    }
  }

  #stateOf(cluster: string, addOn: string): State {
    const key = `${cluster}/${addOn}`;
    const state = this.#states.get(key) ?? { isAvailable: false };
    this.#states.set(key, state);
    return state;
  }
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly observedGeneration?: number;
}

/** Returns the content of the first manifest of a work. */
function contentIn({ spec }: KubernetesObject): Content | undefined {
  const { workload } = (spec ?? {}) as { readonly workload?: { readonly manifests?: readonly Mark[] } };
  const data = workload?.manifests?.[0]?.data;
  if (data === undefined) return undefined;
  return { template: Number(data.template), variables: Number(data.variables) };
}

interface Mark {
  readonly data?: { readonly template: string; readonly variables: string };
}
