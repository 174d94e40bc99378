import { ApiCalls, type ApiCallOptions } from './api-calls.ts';
import { AnswerTooLarge, isNotFound } from './api-error.ts';
import type { ApiObject, ObjectName, Stored } from './object.ts';
import { collectionPath, objectPath, type Resource, type Subresource } from './resource.ts';
import type { Transport } from './transport.ts';

export interface ApiClientOptions extends ApiCallOptions {
  /** The field manager of written fields. */
  readonly fieldManager: string;
}

/** Selects objects of a kind. */
export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface ListOptions extends Selection {
  /** Objects per page. @default 500 */
  readonly pageSize?: number;
  readonly signal?: AbortSignal;
}

export interface Page<T extends ApiObject> {
  readonly items: readonly Stored<T>[];
  /** The position from which to watch, once all pages are read. */
  readonly resourceVersion: string;
}

export interface WatchOptions extends Selection {
  readonly resourceVersion: string;
  /** The time after which the server ends the watch. */
  readonly timeoutSeconds: number;
  readonly signal?: AbortSignal;
}

/** One event of a watch. */
export interface WatchEvent<T extends ApiObject> {
  /** A bookmark's object has only its resourceVersion: the current position of the watch. */
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: Stored<T>;
}

export interface WriteOptions {
  readonly subresource?: Subresource;
  readonly signal?: AbortSignal;
}

export interface OnceOptions extends WriteOptions {
  /** Whether a request to a busy server is not retried: the decision may be outdated by then. @default false */
  readonly once?: boolean;
}

export interface ApplyOptions extends WriteOptions {
  /** Whether to take fields from other field managers. @default true */
  readonly force?: boolean;
  /** Overrides the client's own: different sets of fields of one object need different field managers. */
  readonly fieldManager?: string;
}

export interface DeleteOptions {
  /** Only the object that was read, not one that was created again under its name. */
  readonly uid?: string;
  /** Only if the object has not changed since. */
  readonly resourceVersion?: string;
  readonly signal?: AbortSignal;
}

/** Maximum number of characters of a list page that are read. Parsing that many takes a tenth of a second. */
const largestPage = 4 * 1024 * 1024;

/**
 * Reads and writes objects. All methods throw ApiError if the server rejects the request, and ConnectionError if it
 * does not answer. If a busy server sends a time to wait, the request is retried.
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

  /** Returns the same client over another transport, such as one that rejects writes. */
  over(wrap: (transport: Transport) => Transport): ApiClient {
    return new ApiClient(wrap(this.#transport), this.#options);
  }

  /** Returns an object; undefined if it does not exist. */
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
   * Returns all objects of a selection, page by page. The server rejects a page that is requested too late with 410;
   * the caller must start again then. A page whose text is too large is requested again with fewer objects, so that
   * memory and the event loop handle at most `largestPage`, or one object.
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
      // Items of a list omit the apiVersion and kind of the list.
      const stored = (items ?? []).map((item) => ({ ...item, apiVersion, kind }) as Stored<T>);
      yield { items: stored, resourceVersion: metadata.resourceVersion };
      // The next objects are likely to be as large as these.
      const fitting = Math.floor((0.75 * largestPage * stored.length) / page.size);
      limit = Math.min(pageSize, limit * 2, Math.max(1, fitting));
      next = metadata.continue ?? '';
    } while (next !== '');
  }

  /** Returns a page of a list; undefined if its text is too large. */
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

  /**
   * Returns all changes after a resource version, until the server ends the watch. For a version that is too old,
   * throws ApiError 410.
   */
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
      // Without events, the server sends nothing until it ends the watch.
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

  /** Replaces an object; its resourceVersion selects the expected state. */
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

  /** Server-side apply: the object contains all fields that are ours, and no others. */
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

  /** Deletes an object, and then the objects that it owns. A missing object is no error. */
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

  /** Returns the JSON at a path that is no resource, such as `/version` or `/apis/addon.open-cluster-management.io`. */
  async read(path: string, signal?: AbortSignal): Promise<unknown> {
    // Paths of API groups come from objects that others write, and labels of metrics must have few values.
    const plural = path.split('/', 2).join('/');
    const resource = { apiVersion: '', kind: '', plural, namespaced: false };
    return await this.#calls.json({ verb: 'get', resource, method: 'GET', path, signal });
  }

  /** As `read`; returns undefined if the path does not exist. */
  async readIfThere(path: string, signal?: AbortSignal): Promise<unknown> {
    try {
      return await this.read(path, signal);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
