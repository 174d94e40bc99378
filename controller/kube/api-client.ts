import { ApiCalls, type ApiCallOptions } from './api-calls.ts';
import { AnswerTooLarge, isNotFound } from './api-error.ts';
import type { ApiObject, ObjectName, Stored } from './object.ts';
import { collectionPath, objectPath, type Resource, type Subresource } from './resource.ts';
import type { Transport } from './transport.ts';

export interface ApiClientOptions extends ApiCallOptions {
  /** Who owns the fields that are written. */
  readonly fieldManager: string;
}

/** Which objects of a kind. */
export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface ListOptions extends Selection {
  /** Objects at a time. @default 500 */
  readonly pageSize?: number;
  readonly signal?: AbortSignal;
}

export interface Page<T extends ApiObject> {
  readonly items: readonly Stored<T>[];
  /** From where to watch on, once all pages are read. */
  readonly resourceVersion: string;
}

export interface WatchOptions extends Selection {
  readonly resourceVersion: string;
  /** After which the server ends the watch. */
  readonly timeoutSeconds: number;
  readonly signal?: AbortSignal;
}

/** One change that a watch tells of. */
export interface WatchEvent<T extends ApiObject> {
  /** A bookmark's object has nothing but its resourceVersion: so far the watch has come. */
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: Stored<T>;
}

export interface WriteOptions {
  readonly subresource?: Subresource;
  readonly signal?: AbortSignal;
}

export interface OnceOptions extends WriteOptions {
  /** A server that is too busy is not asked again: what was decided may no longer be right by then. @default false */
  readonly once?: boolean;
}

export interface ApplyOptions extends WriteOptions {
  /** Takes fields from other writers. @default true */
  readonly force?: boolean;
  /** Instead of the client's own: what applies different fields of one object needs different names. */
  readonly fieldManager?: string;
}

export interface DeleteOptions {
  /** Only the object that was seen, not one created again under its name. */
  readonly uid?: string;
  /** Only if nothing changed since. */
  readonly resourceVersion?: string;
  readonly signal?: AbortSignal;
}

/** Characters of a page of a list that are read. To parse as many takes a tenth of a second. */
const largestPage = 4 * 1024 * 1024;

/**
 * Reads and writes objects. Everything throws ApiError where the server refuses, ConnectionError where it does not answer.
 * A server that is too busy and says when to come again is asked again.
 */
export class ApiClient {
  readonly #transport: Transport;
  readonly #options: ApiClientOptions;
  readonly #calls: ApiCalls;

  constructor(transport: Transport, options: ApiClientOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#calls = new ApiCalls(transport, options);
  }

  /** The same client over another transport, such as one that refuses to write. */
  over(wrap: (transport: Transport) => Transport): ApiClient {
    return new ApiClient(wrap(this.#transport), this.#options);
  }

  /** An object; undefined where there is none. */
  async get<T extends ApiObject>(
    resource: Resource<T>,
    name: ObjectName,
    signal?: AbortSignal,
  ): Promise<Stored<T> | undefined> {
    try {
      return await this.#calls.object(resource, {
        verb: 'get',
        resource,
        method: 'GET',
        path: objectPath(resource, name),
        signal,
      });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /**
   * All objects of a selection, page by page. The server refuses a page that is requested too late with 410: then begin again.
   * A page whose text is too large is requested again with fewer objects, so that memory and the event loop have to bear no more
   * than `largestPage`, or one object.
   */
  async *pages<T extends ApiObject>(
    resource: Resource<T>,
    { pageSize = 500, signal, namespace, ...selectors }: ListOptions = {},
  ): AsyncGenerator<Page<T>> {
    let next: string | undefined;
    let limit = pageSize;
    do {
      const page = await this.#page(resource, { ...selectors, continue: next }, { namespace, limit, signal });
      if (page === undefined) {
        limit = Math.max(1, Math.floor(limit / 4));
        continue;
      }
      const { items, metadata } = page.value as {
        readonly items: readonly T[] | null;
        readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
      };
      const { apiVersion, kind } = resource;
      // Items of a list leave out what the list says.
      const stored = (items ?? []).map((item) => ({ ...item, apiVersion, kind }) as Stored<T>);
      yield { items: stored, resourceVersion: metadata.resourceVersion };
      // The next objects are likely to be as large as these.
      const fitting = Math.floor((0.75 * largestPage * stored.length) / page.size);
      limit = Math.min(pageSize, limit * 2, Math.max(1, fitting));
      next = metadata.continue ?? '';
    } while (next !== '');
  }

  /** A page of a list; undefined where its text is too large. */
  async #page(
    resource: Resource,
    query: Readonly<Record<string, string | undefined>>,
    {
      namespace,
      limit,
      signal,
    }: {
      readonly namespace: string | undefined;
      readonly limit: number;
      readonly signal: AbortSignal | undefined;
    },
  ): Promise<{ readonly value: unknown; readonly size: number } | undefined> {
    try {
      return await this.#calls.sizedJson(
        {
          verb: 'list',
          resource,
          method: 'GET',
          path: collectionPath(resource, namespace),
          query: { ...query, limit: String(limit) },
          signal,
        },
        limit === 1 ? Infinity : largestPage,
      );
    } catch (error) {
      if (error instanceof AnswerTooLarge) return undefined;
      throw error;
    }
  }

  async list<T extends ApiObject>(
    resource: Resource<T>,
    options: ListOptions = {},
  ): Promise<readonly Stored<T>[]> {
    const items: Stored<T>[] = [];
    for await (const page of this.pages(resource, options)) items.push(...page.items);
    return items;
  }

  /** All changes after a resource version, until the server ends the watch. A version that is too old: ApiError 410. */
  async *watch<T extends ApiObject>(
    resource: Resource<T>,
    { namespace, resourceVersion, timeoutSeconds, signal, ...selectors }: WatchOptions,
  ): AsyncGenerator<WatchEvent<T>> {
    const events = this.#calls.events<WatchEvent<T>>(
      {
        verb: 'watch',
        resource,
        method: 'GET',
        path: collectionPath(resource, namespace),
        query: {
          ...selectors,
          watch: 'true',
          allowWatchBookmarks: 'true',
          resourceVersion,
          timeoutSeconds: String(timeoutSeconds),
        },
        signal,
      },
      // Where nothing happens nothing comes until the server ends the watch.
      timeoutSeconds * 1000 + 30_000,
    );
    yield* events;
  }

  async create<T extends ApiObject>(
    resource: Resource<T>,
    object: T,
    { once, signal }: Omit<OnceOptions, 'subresource'> = {},
  ): Promise<Stored<T>> {
    return await this.#calls.object(resource, {
      verb: 'create',
      resource,
      once,
      method: 'POST',
      path: collectionPath(resource, object.metadata.namespace),
      query: { fieldManager: this.#options.fieldManager },
      body: { content: JSON.stringify(object), type: 'application/json' },
      signal,
    });
  }

  /** Replaces an object; its resourceVersion says which state. */
  async update<T extends ApiObject>(
    resource: Resource<T>,
    object: Stored<T>,
    { subresource, signal }: WriteOptions = {},
  ): Promise<Stored<T>> {
    return await this.#calls.object(resource, {
      verb: 'update',
      resource,
      subresource,
      method: 'PUT',
      path: objectPath(resource, object.metadata, subresource),
      query: { fieldManager: this.#options.fieldManager },
      body: { content: JSON.stringify(object), type: 'application/json' },
      signal,
    });
  }

  /** Merges fields into an object (RFC 7396): null removes, lists are replaced. */
  async merge<T extends ApiObject>(
    resource: Resource<T>,
    name: ObjectName,
    patch: object,
    { subresource, once, signal }: OnceOptions = {},
  ): Promise<Stored<T>> {
    return await this.#calls.object(resource, {
      verb: 'patch',
      resource,
      subresource,
      once,
      method: 'PATCH',
      path: objectPath(resource, name, subresource),
      query: { fieldManager: this.#options.fieldManager },
      body: { content: JSON.stringify(patch), type: 'application/merge-patch+json' },
      signal,
    });
  }

  /** Server-side apply: the object has all fields that are ours, and no others. */
  async apply<T extends ApiObject>(
    resource: Resource<T>,
    object: ApiObject & { readonly metadata: ObjectName },
    { subresource, force = true, fieldManager = this.#options.fieldManager, signal }: ApplyOptions = {},
  ): Promise<Stored<T>> {
    return await this.#calls.object(resource, {
      verb: 'apply',
      resource,
      subresource,
      method: 'PATCH',
      path: objectPath(resource, object.metadata, subresource),
      query: { fieldManager, force: String(force) },
      body: { content: JSON.stringify(object), type: 'application/apply-patch+yaml' },
      signal,
    });
  }

  /** Deletes an object, and what it owns after it. It is no error that there is none. */
  async delete(
    resource: Resource,
    name: ObjectName,
    { uid, resourceVersion, signal }: DeleteOptions = {},
  ): Promise<void> {
    const preconditions = { uid, resourceVersion };
    const options = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Background',
      preconditions,
    };
    try {
      await this.#calls.json({
        verb: 'delete',
        resource,
        method: 'DELETE',
        path: objectPath(resource, name),
        body: { content: JSON.stringify(options), type: 'application/json' },
        signal,
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** The JSON at a path that is no resource, such as `/version` or `/apis/addon.open-cluster-management.io`. */
  async read(path: string, signal?: AbortSignal): Promise<unknown> {
    // Paths of API groups come from objects that others write, and what metrics are told by is to be of few words.
    const plural = path.split('/', 2).join('/');
    const resource = { apiVersion: '', kind: '', plural, namespaced: false };
    return await this.#calls.json({ verb: 'get', resource, method: 'GET', path, signal });
  }

  /** As `read`; undefined where there is nothing at the path. */
  async readIfThere(path: string, signal?: AbortSignal): Promise<unknown> {
    try {
      return await this.read(path, signal);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
