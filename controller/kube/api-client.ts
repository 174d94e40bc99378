import type { Clock } from '../clock.ts';
import { ApiError, ConnectionError, isNotFound, type ApiStatus } from './api-error.ts';
import type { ApiObject, ObjectName, Stored } from './object.ts';
import { collectionPath, objectPath, type Resource, type Subresource } from './resource.ts';
import type { ApiRequest, ApiResponse, Transport } from './transport.ts';
import { splitLines } from './watch-lines.ts';

/** What is told of every request, for metrics. */
export interface RequestReport {
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'apply' | 'delete';
  /** The plural, with the subresource: `managedclusteraddons/status`. */
  readonly resource: string;
  /** The HTTP status; 0 where no answer came. */
  readonly code: number;
  /** Until the answer was read; of a watch, until it began. */
  readonly seconds: number;
}

export interface ApiClientOptions {
  readonly clock: Clock;
  /** Who owns the fields that are written. */
  readonly fieldManager: string;
  readonly onRequest?: (report: RequestReport) => void;
  /** So long may a server be silent before it has answered, in milliseconds. @default 30 seconds */
  readonly patience?: number;
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

interface Call {
  readonly verb: RequestReport['verb'];
  readonly resource: Resource;
  readonly subresource?: Subresource | undefined;
  readonly method: ApiRequest['method'];
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: ApiRequest['body'];
  readonly signal?: AbortSignal | undefined;
}

/** So often is a request repeated that a server was too busy for. */
const mostRetries = 5;
/** As long as that a request waits for a busy server, in seconds. */
const longestWait = 30;

/**
 * Reads and writes objects. Everything throws ApiError where the server refuses, ConnectionError where it does not answer.
 * A server that is too busy and says when to come again is asked again.
 */
export class ApiClient {
  readonly #transport: Transport;
  readonly #options: ApiClientOptions;

  constructor(transport: Transport, options: ApiClientOptions) {
    this.#transport = transport;
    this.#options = options;
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
      return await this.#object(resource, {
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

  /** All objects of a selection, page by page. A page that comes too late is refused with 410: then begin again. */
  async *pages<T extends ApiObject>(
    resource: Resource<T>,
    { pageSize = 500, signal, namespace, ...selectors }: ListOptions = {},
  ): AsyncGenerator<Page<T>> {
    let next: string | undefined;
    do {
      const text = await this.#text({
        verb: 'list',
        resource,
        method: 'GET',
        path: collectionPath(resource, namespace),
        query: { ...selectors, limit: String(pageSize), continue: next },
        signal,
      });
      const { items, metadata } = decode(resource, text) as {
        readonly items: readonly T[] | null;
        readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
      };
      const { apiVersion, kind } = resource;
      yield {
        // Items of a list leave out what the list says.
        items: (items ?? []).map((item) => ({ ...item, apiVersion, kind }) as Stored<T>),
        resourceVersion: metadata.resourceVersion,
      };
      next = metadata.continue === '' ? undefined : metadata.continue;
    } while (next !== undefined);
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
    const path = collectionPath(resource, namespace);
    const call: Call = {
      verb: 'watch',
      resource,
      method: 'GET',
      path,
      query: {
        ...selectors,
        watch: 'true',
        allowWatchBookmarks: 'true',
        resourceVersion,
        timeoutSeconds: String(timeoutSeconds),
      },
      signal,
    };
    const response = await this.#send(call, timeoutSeconds * 1000 + 30_000, (response) => response);
    try {
      for await (const line of splitLines(response.body)) {
        const { type, object } = decode(resource, line) as {
          readonly type: WatchEvent<T>['type'] | 'ERROR';
          readonly object: unknown;
        };
        if (type === 'ERROR') throw new ApiError(`WATCH ${path}`, readStatus(object, 500));
        yield { type, object: object as Stored<T> };
      }
    } catch (error) {
      throw error instanceof ApiError ? error : new ConnectionError(`WATCH ${path}`, error);
    }
  }

  async create<T extends ApiObject>(
    resource: Resource<T>,
    object: T,
    { signal }: WriteOptions = {},
  ): Promise<Stored<T>> {
    return await this.#object(resource, {
      verb: 'create',
      resource,
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
    return await this.#object(resource, {
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
    { subresource, signal }: WriteOptions = {},
  ): Promise<Stored<T>> {
    return await this.#object(resource, {
      verb: 'patch',
      resource,
      subresource,
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
    return await this.#object(resource, {
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
      await this.#text({
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
    const resource = { apiVersion: '', kind: '', plural: path, namespaced: false };
    return JSON.parse(await this.#text({ verb: 'get', resource, method: 'GET', path, signal })) as unknown;
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

  async #object<T extends ApiObject>(resource: Resource<T>, call: Call): Promise<Stored<T>> {
    return decode(resource, await this.#text(call)) as Stored<T>;
  }

  async #text(call: Call): Promise<string> {
    return await this.#send(call, this.#options.patience ?? 30_000, textOf);
  }

  async #send<R>(call: Call, patience: number, read: (response: ApiResponse) => Promise<R> | R): Promise<R> {
    const { clock } = this.#options;
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.#sendOnce(call, patience, read);
      } catch (error) {
        const wait = error instanceof ApiError ? error.status.retryAfterSeconds : undefined;
        if (wait === undefined || retries === mostRetries || call.signal?.aborted === true) throw error;
        // Up to a fifth more, so that not all come again at once.
        await clock.sleep(Math.min(wait, longestWait) * 1000 * (1 + clock.random() / 5), call.signal);
      }
    }
  }

  async #sendOnce<R>(
    { verb, resource, subresource, method, path, query, body, signal }: Call,
    patience: number,
    read: (response: ApiResponse) => Promise<R> | R,
  ): Promise<R> {
    const { clock, onRequest } = this.#options;
    const started = clock.elapsed();
    let code = 0;
    try {
      signal?.throwIfAborted();
      const response = await this.#transport.send({
        method,
        target: path + queryText(query),
        patience,
        ...(body && { body }),
        ...(signal && { signal }),
      });
      code = response.status;
      if (code >= 200 && code < 300) return await read(response);
      throw new ApiError(`${method} ${path}`, refusal(response, await textOf(response)));
    } catch (error) {
      throw error instanceof ApiError ? error : new ConnectionError(`${method} ${path}`, error);
    } finally {
      const name = subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`;
      onRequest?.({ verb, resource: name, code, seconds: (clock.elapsed() - started) / 1000 });
    }
  }
}

function decode(resource: Resource, text: string): unknown {
  return resource.decode === undefined ? JSON.parse(text) : resource.decode(text);
}

async function textOf({ body }: ApiResponse): Promise<string> {
  let text = '';
  for await (const chunk of body) text += chunk;
  return text;
}

function queryText(query: Call['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, value);
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** Servers that are busy say when to come again; others are not asked again here. */
function refusal({ status, retryAfter }: ApiResponse, text: string): ApiStatus {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // What stands in between, such as a proxy, does not answer in JSON.
    body = { message: text.split('\n', 1)[0]?.slice(0, 200) };
  }
  const wait = status === 429 || status === 503 ? retryAfter : undefined;
  return { ...readStatus(body, status), ...(wait !== undefined && { retryAfterSeconds: wait }) };
}

function readStatus(body: unknown, status: number): ApiStatus {
  const { code, reason, message } = (typeof body === 'object' && body !== null ? body : {}) as {
    readonly code?: unknown;
    readonly reason?: unknown;
    readonly message?: unknown;
  };
  return {
    code: typeof code === 'number' ? code : status,
    reason: typeof reason === 'string' ? reason : 'Unknown',
    message: typeof message === 'string' && message !== '' ? message : `status ${status}`,
  };
}
