import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../client/clock.ts';
import type { ApiReader, Selection } from '../../client/api-reader.ts';
import { ApiError, isExpired, isForbidden, sentenceOf } from '../../client/api-error.ts';
import { keyOf, type ApiObject, type Stored } from '../../client/object.ts';
import type { Resource } from '../../client/resource.ts';
import { groupOf, groupResource } from '../../base/names/resource-name.ts';
import type { Log } from '../operation/log.ts';
import { Backoff } from '../../client/backoff.ts';
import { Store, type IndexFunction, type ReadonlyStore } from './store.ts';

/** The change of an object. A changed object has both states; for a resync, both are the same. */
export type Change<T extends ApiObject> =
  | { readonly before?: Stored<T>; readonly after: Stored<T> }
  | { readonly before: Stored<T>; readonly after?: undefined };

/** The metrics that a cache reports; resources are named with their group. */
export interface InformerMetrics {
  /** A list or a watch started. */
  began(resource: string, verb: 'list' | 'watch'): void;
  failed(resource: string, verb: 'list' | 'watch'): void;
  cached(resource: string, objects: number): void;
}

export interface InformerOptions<
  T extends ApiObject,
  I extends string,
  O extends ApiObject = T,
> extends Selection {
  readonly client: ApiReader;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: InformerMetrics;
  /** The part of the kind that this cache has, for metrics, if another cache has another part. @default - the only cache */
  readonly part?: string;
  /** Further indexes for finding an object. */
  readonly indexes?: Readonly<Record<I, IndexFunction<T>>>;
  /**
   * Returns the part of an object to cache, with its name, uid and resourceVersion; undefined for an object that is
   * not cached. No other code sees the rest of the object.
   *
   * @default - the whole object
   */
  readonly transform?: (object: Stored<O>, store: ReadonlyStore<T, I>) => Stored<T> | undefined;
  /**
   * Whether objects that `transform` omitted may be cached now. If so, all objects are listed again when the watch ends,
   * which happens every few minutes.
   */
  readonly hasRoom?: (store: ReadonlyStore<T, I>) => boolean;
  /** Objects per page of a list. @default 500 */
  readonly pageSize?: number;
  /** Called whenever all objects were listed. */
  readonly onListed?: () => void;
  /** The interval at which handlers are called for every object again, in milliseconds. @default 10 minutes */
  readonly resync?: number;
}

/**
 * A copy of all objects of a kind that follows the API server: a list, then a watch from there. A watch that ends
 * continues from its last position. If the position is too old, the informer lists again. Objects that were deleted
 * in the meantime are reported as deleted.
 *
 * `T` is the cached part of an object, `O` the object on the API server.
 */
export class Informer<T extends ApiObject, I extends string = never, O extends ApiObject = T> {
  readonly resource: Resource<O>;
  /** In the format of Kubernetes' own metrics: `deployments.apps`. A part follows after a colon. */
  readonly #name: string;
  readonly store: Store<T, I>;
  readonly #options: InformerOptions<T, I, O>;
  readonly #handlers = new Set<(change: Change<T>) => void>();
  readonly #failures: Backoff;
  #position: string | undefined;
  #hasSynced = false;
  #heardAt: number;
  #isForbidden = false;

  constructor(resource: Resource<O>, options: InformerOptions<T, I, O>) {
    this.resource = resource;
    const name = groupResource(groupOf(resource.apiVersion), resource.plural);
    this.#name = options.part === undefined ? name : `${name}:${options.part}`;
    this.#options = options;
    this.#heardAt = options.clock.elapsed();
    this.store = new Store<T, I>(options.indexes ?? ({} as Readonly<Record<I, IndexFunction<T>>>));
    // as client-go's reflector: 0.8 s to 30 s
    this.#failures = new Backoff(options.clock, { first: 800, longest: 30_000 });
  }

  /** Whether everything was listed at least once. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** Whether the API server rejected the last list because of a missing permission. */
  get isForbidden(): boolean {
    return this.#isForbidden;
  }

  /**
   * The number of milliseconds since the last answer or rejection of the API server. Watches end after ten minutes,
   * so a longer time is not caused by a silent server.
   */
  get silence(): number {
    return this.#options.clock.elapsed() - this.#heardAt;
  }

  /**
   * Calls the handler for every future change, and for the existing objects: immediately, and in pieces if it takes long. It must not
   * throw.
   *
   * @returns a function that removes the handler
   */
  onChange(handler: (change: Change<T>) => void): () => void {
    this.#handlers.add(handler);
    void this.#forEach(
      (after) => handler({ after }),
      () => !this.#handlers.has(handler),
    );
    return () => this.#handlers.delete(handler);
  }

  /** Follows the API server until the signal is aborted. Survives any answer. */
  async run(signal: AbortSignal): Promise<void> {
    const resyncs = this.#resyncs(signal);
    while (!signal.aborted) {
      if (this.#position !== undefined && this.#options.hasRoom?.(this.store) === true)
        this.#position = undefined;
      const verb = this.#position === undefined ? 'list' : 'watch';
      this.#heardAt = this.#options.clock.elapsed();
      try {
        this.#options.metrics?.began(this.#name, verb);
        if (verb === 'list') await this.#list(signal);
        else await this.#watch(signal);
      } catch (error) {
        if (signal.aborted) break;
        this.#options.metrics?.failed(this.#name, verb);
        await this.#recover(verb, error, signal);
      }
    }
    await resyncs;
  }

  async #recover(verb: 'list' | 'watch', error: unknown, signal: AbortSignal): Promise<void> {
    const { log, clock } = this.#options;
    const wait = this.#failures.next();
    // A position that the server rejects is not usable: it is too old, or the server has lost the history before it.
    if (error instanceof ApiError && !saysNothingOfPosition(error)) this.#position = undefined;
    this.#isForbidden = verb === 'list' && isForbidden(error);
    if (verb === 'watch' && isExpired(error)) {
      log.info({ resource: this.resource.plural }, 'too far behind: listing all again');
    } else {
      log.warn(
        { resource: this.resource.plural, verb, error: sentenceOf(error), retryAfterMs: Math.round(wait) },
        'the API server cannot be watched',
      );
    }
    await clock.sleep(wait, signal);
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { client, pageSize, namespace, labelSelector, fieldSelector } = this.#options;
    const missing = new Set(this.store.keys());
    let position = '';
    for await (const { items, resourceVersion } of client.pages(this.resource, {
      ...(pageSize !== undefined && { pageSize }),
      ...(namespace !== undefined && { namespace }),
      ...(labelSelector !== undefined && { labelSelector }),
      ...(fieldSelector !== undefined && { fieldSelector }),
      signal,
    })) {
      this.#heardAt = this.#options.clock.elapsed();
      position = resourceVersion;
      for (const item of items) {
        missing.delete(keyOf(item));
        this.#put(item);
      }
      await setImmediate();
    }
    for (const key of missing) this.#remove(key);
    this.#position = position;
    this.#hasSynced = true;
    this.#isForbidden = false;
    this.#report();
    this.#options.onListed?.();
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { client, clock, namespace, labelSelector, fieldSelector } = this.#options;
    const started = clock.elapsed();
    let count = 0;
    for await (const { type, object } of client.watch(this.resource, {
      ...(namespace !== undefined && { namespace }),
      ...(labelSelector !== undefined && { labelSelector }),
      ...(fieldSelector !== undefined && { fieldSelector }),
      resourceVersion: this.#position ?? '',
      // as client-go: 5 to 10 minutes, so that not all watches restart at the same time
      timeoutSeconds: Math.round(300 * (1 + clock.random())),
      signal,
    })) {
      count += 1;
      this.#heardAt = clock.elapsed();
      this.#failures.reset();
      if (type === 'DELETED') this.#remove(keyOf(object));
      else if (type !== 'BOOKMARK') this.#put(object);
      this.#position = object.metadata.resourceVersion;
      if (type !== 'MODIFIED' && type !== 'BOOKMARK') this.#report();
    }
    // If a server ends watches as soon as they begin, wait before the next one.
    if (count === 0 && clock.elapsed() - started < 1000) throw new Error('the watch ended immediately');
  }

  #put(object: Stored<O>): void {
    const { transform } = this.#options;
    // Without `transform`, the whole object is cached.
    const withoutManaged = withoutManagedFields(object);
    const after =
      transform === undefined
        ? (withoutManaged as Stored<ApiObject> as Stored<T>)
        : transform(withoutManaged, this.store);
    if (after === undefined) {
      this.#remove(keyOf(object));
      return;
    }
    const before = this.store.set(after);
    if (before?.metadata.uid === after.metadata.uid) {
      // Lists repeat known objects.
      if (before.metadata.resourceVersion === after.metadata.resourceVersion) return;
      this.#notify({ before, after });
      return;
    }
    if (before !== undefined) this.#notify({ before });
    this.#notify({ after });
  }

  #remove(key: string): void {
    const before = this.store.delete(key);
    if (before !== undefined) this.#notify({ before });
  }

  #notify(change: Change<T>): void {
    for (const handler of this.#handlers) handler(change);
  }

  #report(): void {
    this.#options.metrics?.cached(this.#name, this.store.size);
  }

  async #resyncs(signal: AbortSignal): Promise<void> {
    const { clock, resync = 600_000 } = this.#options;
    while (!signal.aborted) {
      await clock.sleep(resync * (1 + clock.random() / 10), signal);
      if (signal.aborted) return;
      await this.#forEach(
        (object) => this.#notify({ before: object, after: object }),
        () => signal.aborted,
      );
    }
  }

  /**
   * Calls a function for each object, as it is then, and lets other work run from time to time: a hub has hundreds of thousands of
   * objects, and a Lease that is not renewed in the meantime is lost.
   */
  async #forEach(each: (object: Stored<T>) => void, isOver: () => boolean): Promise<void> {
    const { clock } = this.#options;
    let began = clock.elapsed();
    for (const key of this.store.keys()) {
      if (isOver()) return;
      const object = this.store.get(key);
      if (object !== undefined) each(object);
      if (clock.elapsed() - began < longestWithoutPause) continue;
      await setImmediate();
      began = clock.elapsed();
    }
  }
}

/** In milliseconds. */
const longestWithoutPause = 20;

/** Whether the server rejected the request before it processed it: a new list would only cause more load. */
function saysNothingOfPosition({ status }: ApiError): boolean {
  return [401, 403, 429, 503].includes(status.code);
}

/** Removes the managed fields: they are often half of an object, and no code here uses them. */
function withoutManagedFields<T extends ApiObject>(object: Stored<T>): Stored<T> {
  const { managedFields: _, ...metadata } = object.metadata as Stored<T>['metadata'] & {
    readonly managedFields?: unknown;
  };
  return { ...object, metadata };
}

/** Waits until all are synced, or the signal is aborted. Returns whether all are synced. */
export async function allSynced(
  informers: readonly Pick<Informer<ApiObject>, 'hasSynced'>[],
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    if (informers.every(({ hasSynced }) => hasSynced)) return true;
    await clock.sleep(50, signal);
  }
  return false;
}
