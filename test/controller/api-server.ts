import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { getOrInsertComputed } from '../../src/base/collections/get-or-insert.ts';
import type { Clock } from '../../src/client/clock.ts';
import { systemClock } from '../../src/client/clock.ts';
import { ApiClient } from '../../src/client/api-client.ts';
import { HttpTransport } from '../../src/client/http-transport.ts';
import type { ApiObject, StoredMeta } from '../../src/client/object.ts';
import type { Resource } from '../../src/client/resource.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../src/client/transport.ts';

/** Any object, as it is written: the server fills in the rest. */
interface KubernetesObject extends ApiObject {
  readonly metadata: ApiObject['metadata'] & Partial<Pick<StoredMeta, 'resourceVersion'>>;
  readonly status?: unknown;
}

interface Address {
  /** Path of the collection without its namespace. */
  readonly collection: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

interface Logged {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly address: Address;
  readonly object: KubernetesObject;
}

interface Watcher {
  readonly address: Address;
  readonly response: ServerResponse;
}

/** Answers instead of the server; undefined lets the server answer. */
export type Interception = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * An API server as far as the client, the caches and the leader election see one: collections with resource versions, paging,
 * watches with bookmarks that fall too far behind, conflicts, the status apart. It admits everything.
 */
export class FakeApiServer {
  /** Method and path of every request, watches as `WATCH`. */
  readonly requests: string[] = [];
  intercept: Interception | undefined;
  readonly #server: Server;
  readonly #objects = new Map<string, { readonly address: Address; readonly object: KubernetesObject }>();
  /** The objects of lists that were asked for, until one of their collection changes: a large list has thousands of pages. */
  readonly #lists = new Map<string, Map<string, readonly KubernetesObject[]>>();
  readonly #watchers = new Set<Watcher>();
  #log: Logged[] = [];
  #version = 1;
  #oldest = 0;
  /** Requests of its clients, but for watches, that are not over yet. */
  #pending = 0;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<FakeApiServer> {
    const server = new FakeApiServer();
    await server.listen(0);
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Another may have been given the port since it was last listened at: that one is waited for. */
  async listen(port: number): Promise<void> {
    while (!(await this.#listens(port))) await delay(50);
  }

  async #listens(port: number): Promise<boolean> {
    const listening = once(this.#server, 'listening').then(() => true);
    this.#server.listen(port, '127.0.0.1');
    return await listening.catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
      return false;
    });
  }

  /** A client of it. */
  client(clock: Clock = systemClock): ApiClient {
    return new ApiClient(this.transport(clock), { clock, fieldManager: 'test' });
  }

  transport(clock: Clock = systemClock): Transport {
    const transport = new HttpTransport({
      server: new URL(`http://127.0.0.1:${this.port}`),
      credentials: async () => await Promise.resolve({ headers: {} }),
      clock,
      userAgent: 'test',
    });
    return {
      server: transport.server,
      send: async (request) => await this.#counted(transport, request),
      close: () => transport.close(),
    };
  }

  /**
   * Returns when every request that its clients have sent is over, watches aside, and what follows from the answers has happened:
   * however long that takes on this machine.
   */
  async answered(): Promise<void> {
    for (let calm = 0; calm < 20; calm = this.#pending === 0 ? calm + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Stores an object as a client would create it, without a request: for the many objects of a large hub. */
  seed({ apiVersion, plural }: Resource, object: KubernetesObject): void {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const { name, namespace } = object.metadata;
    this.#store(
      'ADDED',
      { collection: `${root}/${plural}`, namespace, name, subresource: undefined },
      object,
    );
  }

  /** Breaks all watches without a word. */
  cutWatches(): void {
    for (const { response } of this.#watchers) response.destroy();
  }

  get watches(): number {
    return this.#watchers.size;
  }

  /** As etcd's compaction: nothing older than now can be watched from. */
  compact(): void {
    this.#log = [];
    this.#oldest = this.#version;
  }

  /** Sends a bookmark to all watches. */
  bookmark(): void {
    for (const watcher of this.#watchers)
      send(watcher, { type: 'BOOKMARK', object: { metadata: { resourceVersion: String(this.#version) } } });
  }

  async #counted(transport: Transport, request: ApiRequest): Promise<ApiResponse> {
    if (request.target.includes('watch=true')) return await transport.send(request);
    this.#pending += 1;
    try {
      const response = await transport.send(request);
      return { ...response, body: this.#ended(response.body) };
    } catch (error) {
      this.#pending -= 1;
      throw error;
    }
  }

  async *#ended(body: AsyncIterable<string>): AsyncIterable<string> {
    try {
      yield* body;
    } finally {
      this.#pending -= 1;
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://server');
    const isWatch = url.searchParams.get('watch') === 'true';
    this.requests.push(`${isWatch ? 'WATCH' : (request.method ?? '')} ${url.pathname}`);
    if (this.intercept?.(request, response) === true) return;
    const body = await text(request);
    const address = addressOf(url.pathname);
    if (isWatch) this.#watch(address, url, response);
    else if (request.method === 'GET' && address.name === undefined) this.#list(address, url, response);
    else this.#object(address, request, body, response);
  }

  #object(address: Address, request: IncomingMessage, body: string, response: ServerResponse): void {
    const written = body === '' ? undefined : (JSON.parse(body) as KubernetesObject);
    const { generateName } = written?.metadata ?? {};
    const generated = generateName && `${generateName}${this.#version.toString(36).padStart(5, 'x')}`;
    const name = address.name ?? written?.metadata.name ?? generated ?? '';
    const at = { ...address, name };
    const before = this.#objects.get(keyOf(at))?.object;
    const type = request.headers['content-type'] ?? '';
    const isApply = type.startsWith('application/apply-patch');
    if (request.method === 'POST') {
      if (before !== undefined) return refuse(response, 409, 'AlreadyExists', `${name} already exists`);
    } else if (before === undefined && !isApply) {
      return refuse(response, 404, 'NotFound', `${name} not found`);
    }
    const version = written?.metadata?.resourceVersion;
    if (version !== undefined && before !== undefined && version !== before.metadata.resourceVersion)
      return refuse(response, 409, 'Conflict', 'the object has been modified');
    switch (request.method ?? '') {
      case 'GET':
        return answerJson(response, 200, before);
      case 'DELETE':
        this.#store('DELETED', at, before as KubernetesObject);
        return answerJson(response, 200, { kind: 'Status', status: 'Success' });
      case 'POST':
        return answerJson(response, 201, this.#store('ADDED', at, written as KubernetesObject));
      case 'PUT':
        return answerJson(
          response,
          200,
          this.#store('MODIFIED', at, parted(address, before, written as KubernetesObject)),
        );
      default: {
        const merged = merge(before ?? {}, written) as KubernetesObject;
        const stored = this.#store(
          before === undefined ? 'ADDED' : 'MODIFIED',
          at,
          parted(address, before, merged),
        );
        return answerJson(response, 200, stored);
      }
    }
  }

  #store(type: Logged['type'], address: Address, object: KubernetesObject): KubernetesObject {
    const before = this.#objects.get(keyOf(address))?.object;
    const same = before !== undefined && JSON.stringify(before) === JSON.stringify(object);
    if (type === 'MODIFIED' && same) return before;
    this.#version += 1;
    const stored = {
      ...object,
      metadata: {
        ...object.metadata,
        name: address.name ?? '',
        ...(address.namespace === undefined ? {} : { namespace: address.namespace }),
        uid: before?.metadata.uid ?? `uid-${this.#version}`,
        creationTimestamp: before?.metadata.creationTimestamp ?? '2026-01-31T12:00:00Z',
        resourceVersion: String(this.#version),
      },
    };
    if (type === 'DELETED') this.#objects.delete(keyOf(address));
    else this.#objects.set(keyOf(address), { address, object: stored });
    this.#lists.delete(address.collection);
    const logged = { version: this.#version, type, address, object: stored };
    this.#log.push(logged);
    for (const watcher of this.#watchers)
      if (isIn(address, watcher.address)) send(watcher, { type, object: stored });
    return stored;
  }

  #list(address: Address, url: URL, response: ServerResponse): void {
    const all = this.#listed(address);
    const limit = Number(url.searchParams.get('limit') ?? Infinity);
    const start = Number(url.searchParams.get('continue') ?? 0);
    const end = start + limit;
    answerJson(response, 200, {
      kind: 'List',
      metadata: {
        resourceVersion: String(this.#version),
        ...(end < all.length && { continue: String(end) }),
      },
      items: all.slice(start, end),
    });
  }

  #listed(address: Address): readonly KubernetesObject[] {
    const ofCollection = getOrInsertComputed(this.#lists, address.collection, () => new Map());
    return getOrInsertComputed(ofCollection, address.namespace ?? '', () =>
      [...this.#objects.values()].flatMap((each) => (isIn(each.address, address) ? [each.object] : [])),
    );
  }

  #watch(address: Address, url: URL, response: ServerResponse): void {
    const from = Number(url.searchParams.get('resourceVersion'));
    if (from < this.#oldest)
      return refuse(response, 410, 'Expired', `too old resource version: ${from} (${this.#oldest})`);
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.flushHeaders();
    const watcher = { address, response };
    this.#watchers.add(watcher);
    response.on('close', () => this.#watchers.delete(watcher));
    for (const { version, type, address: of, object } of this.#log)
      if (version > from && isIn(of, address)) send(watcher, { type, object });
  }
}

function addressOf(path: string): Address {
  const match =
    /^(\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+))(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(
      path,
    );
  if (match === null) throw new Error(`no path of an object: ${path}`);
  const [, root, namespace, plural, name, subresource] = match.map(
    (part) => part && decodeURIComponent(part),
  );
  return { collection: `${root}/${plural}`, namespace, name, subresource };
}

function keyOf({ collection, namespace, name }: Address): string {
  return [collection, namespace, name].join(' ');
}

function isIn(object: Address, selected: Address): boolean {
  return (
    object.collection === selected.collection &&
    (selected.namespace === undefined || selected.namespace === object.namespace)
  );
}

/** The status is written below `/status` only, and nothing else there. */
function parted(
  { subresource }: Address,
  before: KubernetesObject | undefined,
  after: KubernetesObject,
): KubernetesObject {
  if (subresource === undefined) return { ...after, ...(before && { status: before.status }) };
  return { ...(before ?? after), status: after.status };
}

/** As RFC 7396. */
function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const merged: Record<string, unknown> =
    typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target } : {};
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete merged[field];
    else merged[field] = merge(merged[field], value);
  }
  return merged;
}

function send({ response }: Watcher, event: object): void {
  response.write(`${JSON.stringify(event)}\n`);
}

export function refuse(response: ServerResponse, code: number, reason: string, message: string): void {
  answerJson(response, code, { kind: 'Status', status: 'Failure', code, reason, message });
}

export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}
