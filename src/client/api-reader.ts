import { ApiCalls, largestAnswer, type ApiCall, type ApiCallOptions, type SizedJson } from './api-calls.ts';
import { AnswerError, isExpired, isNotFound, isTooLarge } from './api-error.ts';
import { pageOf } from './list-page.ts';
import type { ApiObject, ObjectName, Stored } from './object.ts';
import { readOnly } from './read-only.ts';
import { collectionPath, objectPath, type Resource } from './resource.ts';
import type { Transport } from './transport.ts';

/** Selects objects of a kind. */
export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface ListOptions extends Selection {
  /** Objects per page. @default 500 */
  readonly pageSize?: number;
  /** Maximum number of characters of a page; a larger one is requested with fewer objects. @default 4 MiB */
  readonly largestPage?: number;
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

/** Maximum number of characters of a list page that are read. Parsing that many takes a tenth of a second. */
const pageBound = 4 * 1024 * 1024;
/** Maximum number of pages of one list: two million objects. */
const mostPages = 4_000;
/** How long all pages of a list may take, in milliseconds. */
const longestList = 1_800_000;
/** How often a list is started when the API server drops its continue token before the last page. */
export const mostBeginnings = 3;

/**
 * Reads objects, and cannot write: it has no method that does, and its connection sends only GET requests. All methods throw ApiError
 * if the server rejects the request, ConnectionError if it does not answer, and AnswerError for an answer that cannot be used. If a
 * busy server sends a time to wait, the request is retried as `retryPolicy` says.
 */
export class ApiReader {
  /** The URL of the API server, without a slash at its end. */
  readonly server: string;
  readonly #calls: ApiCalls;
  readonly #clock: ApiCallOptions['clock'];

  constructor(transport: Transport, options: ApiCallOptions) {
    this.server = transport.server.replace(/\/$/, '');
    this.#calls = new ApiCalls(readOnly(transport), options);
    this.#clock = options.clock;
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
    { pageSize = 500, largestPage = pageBound, signal, namespace, ...selectors }: ListOptions = {},
  ): AsyncGenerator<Page<T>> {
    const tokens = new Set<string>();
    const deadline = this.#clock.elapsed() + longestList;
    let next: string | undefined;
    let limit = pageSize;
    do {
      const call = {
        verb: 'list',
        resource,
        method: 'GET',
        path: collectionPath(resource, namespace),
        query: { ...selectors, limit: String(limit), continue: next },
        signal,
      } as const;
      const answer = await this.#page(call, limit === 1 ? largestAnswer : largestPage);
      if (answer === undefined) {
        limit = Math.max(1, Math.floor(limit / 4));
        continue;
      }
      const page = pageOf(resource, answer.value);
      if (page === undefined)
        throw new AnswerError(`GET ${call.path}`, 'not-a-list', 'the answer is not a list');
      yield { ...page, items: page.items.map((item) => this.#calls.checked(call, item)) };
      // The next objects are likely to be as large as these.
      const fitting = Math.floor((0.75 * largestPage * page.items.length) / answer.size);
      limit = Math.min(pageSize, limit * 2, Math.max(1, fitting));
      next = page.next;
      if (tokens.has(next) || tokens.size === mostPages)
        throw new AnswerError(`GET ${call.path}`, 'endless', 'the list does not end');
      if (next !== '' && this.#clock.elapsed() > deadline)
        throw new AnswerError(`GET ${call.path}`, 'too-slow', 'the list takes more than 30 min');
      tokens.add(next);
    } while (next !== '');
  }

  /** Returns a page of a list; undefined if it is too large, and fewer objects may be requested. */
  async #page(call: ApiCall, most: number): Promise<SizedJson | undefined> {
    try {
      return await this.#calls.sizedJson(call, most);
    } catch (error) {
      if (isTooLarge(error) && most < largestAnswer) return undefined;
      throw error;
    }
  }

  /**
   * Returns all objects of a selection. If the server drops the continue token of a list, the list starts again, at
   * most twice.
   */
  async list<T extends ApiObject>(
    resource: Resource<T>,
    options: ListOptions = {},
  ): Promise<readonly Stored<T>[]> {
    return await this.listParts(resource, options, (object) => object);
  }

  /** Returns a part of each object of a selection, so that the objects themselves need not all be in memory. As `list`. */
  async listParts<T extends ApiObject, P>(
    resource: Resource<T>,
    options: ListOptions,
    partOf: (object: Stored<T>) => P,
  ): Promise<readonly P[]> {
    for (let beginnings = 1; ; beginnings += 1) {
      const parts: P[] = [];
      try {
        for await (const page of this.pages(resource, options))
          for (const item of page.items) parts.push(partOf(item));
        return parts;
      } catch (error) {
        if (!isExpired(error) || beginnings === mostBeginnings) throw error;
      }
    }
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
