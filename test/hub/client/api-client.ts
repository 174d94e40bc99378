import { Agent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { clientTls, type Access } from './kubeconfig.ts';

/** What an API server says when it refuses: its Status object. */
export interface Refusal {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly causes: readonly {
    readonly reason?: string;
    readonly field?: string;
    readonly message?: string;
  }[];
}

/** An answer of the API server that is not a success. */
export class ApiError extends Error {
  readonly refusal: Refusal;

  constructor(method: string, path: string, refusal: Refusal) {
    super(`${method} ${path}: ${refusal.code} ${refusal.message}`);
    this.refusal = refusal;
  }
}

/** A kind that the API server does not serve, or not yet. */
export class UnservedKind extends Error {}

export interface WriteOptions {
  /** Everything but storing it. */
  readonly dryRun?: boolean;
  /** Refuse unknown and repeated fields, as `kubectl --validate=strict`. */
  readonly strict?: boolean;
  /** Who owns the written fields. @default 'fleetwright-hub-test' */
  readonly fieldManager?: string;
}

/** One change that a watch reports. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubernetesObject;
}

interface Resource {
  readonly name: string;
  readonly namespaced: boolean;
}

interface Body {
  readonly content: string;
  readonly type: string;
}

type Query = Readonly<Record<string, string>>;

/** Who owns the fields that these tests apply. */
export const fieldManager = 'fleetwright-hub-test';

/** A user to the API server, and its groups. */
export interface Impersonated {
  readonly user: string;
  readonly groups: readonly string[];
}

/** A small client of the Kubernetes API: what tests need, over one kept-alive connection pool. */
export class ApiClient {
  readonly #access: Access;
  readonly #agent: Agent;
  readonly #impersonated: Impersonated | undefined;
  readonly #resources = new Map<string, Promise<ReadonlyMap<string, Resource>>>();

  /** @param impersonated - who the requests are from. @default - whose access it is */
  constructor(access: Access, impersonated?: Impersonated) {
    this.#access = access;
    this.#impersonated = impersonated;
    // Every watch holds a connection.
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets: 48,
      // Of those that nobody uses. The API server closes them after 90 s: a request on one that is just being closed would fail.
      timeout: 30_000,
      ...clientTls(access),
    });
  }

  /** A client whose requests are those of somebody else, which administrators may make. */
  as(impersonated: Impersonated): ApiClient {
    return new ApiClient(this.#access, impersonated);
  }

  async get(
    apiVersion: string,
    kind: string,
    name: string,
    namespace?: string,
  ): Promise<KubernetesObject | undefined> {
    const path = await this.#path(apiVersion, kind, namespace, name);
    const { status, text } = await this.#send('GET', path);
    if (status === 404) return undefined;
    return parsed('GET', path, status, text);
  }

  /** All objects of a kind, in one namespace or in all. */
  async list(
    apiVersion: string,
    kind: string,
    namespace?: string,
    labelSelector?: string,
  ): Promise<readonly KubernetesObject[]> {
    const path = await this.#path(apiVersion, kind, namespace);
    const { status, text } = await this.#send(
      'GET',
      path,
      labelSelector === undefined ? {} : { labelSelector },
    );
    const { items } = parsed('GET', path, status, text) as KubernetesObject & {
      readonly items: readonly KubernetesObject[];
    };
    // Items of a list leave out what the list says.
    return items.map((item) => ({ ...item, apiVersion, kind }));
  }

  async create(object: KubernetesObject, options: WriteOptions = {}): Promise<KubernetesObject> {
    const path = await this.#path(object.apiVersion, object.kind, object.metadata.namespace);
    return this.#write('POST', path, json(object), query(options));
  }

  /**
   * Why the server would refuse to create what is written, with strict field validation; undefined where it would not.
   * Nothing is stored. What is written need not be an object, so the kind and the namespace are said apart from it.
   */
  async refusal(
    { apiVersion, kind, namespace }: { apiVersion: string; kind: string; namespace?: string },
    written: string,
  ): Promise<Refusal | undefined> {
    const path = await this.#path(apiVersion, kind, namespace);
    const body = { content: written, type: 'application/json' };
    const { status, text } = await this.#send('POST', path, query({ dryRun: true, strict: true }), body);
    return status >= 200 && status < 300 ? undefined : refusal(status, text);
  }

  /** Replaces an object; it names the resourceVersion that it replaces. */
  async replace(object: KubernetesObject): Promise<KubernetesObject> {
    return this.#write('PUT', await this.#pathOf(object), json(object), query({}));
  }

  /** Server-side apply. Conflicts are forced: the tests know better. */
  async apply(
    object: KubernetesObject,
    options: WriteOptions = {},
    subresource?: 'status',
  ): Promise<KubernetesObject> {
    const path = await this.#pathOf(object, subresource);
    const body = { content: JSON.stringify(object), type: 'application/apply-patch+yaml' };
    return this.#write('PATCH', path, body, { ...query(options), force: 'true' });
  }

  /** Merges fields into an object or its status. */
  async merge(
    object: KubernetesObject,
    patch: object,
    subresource?: 'status' | 'approval',
  ): Promise<KubernetesObject> {
    const path = await this.#pathOf(object, subresource);
    const body = { content: JSON.stringify(patch), type: 'application/merge-patch+json' };
    return this.#write('PATCH', path, body, query({}));
  }

  /** A token of a ServiceAccount, for a day: a test or bench may run longer than an hour, the default. */
  async createToken(account: KubernetesObject): Promise<string> {
    const path = await this.#pathOf(account, 'token');
    const body = json({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: {},
      spec: { expirationSeconds: 86_400 },
    });
    const { status } = (await this.#write('POST', path, body, {})) as KubernetesObject & {
      readonly status: { readonly token: string };
    };
    return status.token;
  }

  /** Deletes an object; it is no mistake that it is gone already. */
  async delete({ apiVersion, kind, metadata }: KubernetesObject): Promise<void> {
    const path = await this.#path(apiVersion, kind, metadata.namespace, metadata.name);
    const { status, text } = await this.#send('DELETE', path, { propagationPolicy: 'Background' });
    if (status !== 404) parsed('DELETE', path, status, text);
  }

  /** The API server's answer to a path that is not a resource, such as /version. */
  async read(path: string): Promise<unknown> {
    const { status, text } = await this.#send('GET', path);
    return parsed('GET', path, status, text);
  }

  /** The API server's answer to a path that is no JSON, such as /metrics. */
  async readText(path: string): Promise<string> {
    const { status, text } = await this.#send('GET', path);
    if (status !== 200) throw new ApiError('GET', path, refusal(status, text));
    return text;
  }

  /**
   * Follows all changes of a kind from now on until the signal aborts; what exists comes first, as ADDED. Returns earlier
   * where the API server ends the watch, as it does with those that are slow to read. Ends with an error when the connection
   * breaks.
   *
   * @param version - kept up to date, so that another watch with it goes on where this one ended. @default - what exists comes first
   */
  async watch(
    apiVersion: string,
    kind: string,
    onEvent: (event: WatchEvent) => void,
    signal: AbortSignal,
    version: { last?: string | undefined } = {},
  ): Promise<void> {
    const path = await this.#path(apiVersion, kind);
    const since = version.last === undefined ? {} : { resourceVersion: version.last };
    const parameters = { watch: 'true', allowWatchBookmarks: 'true', ...since };
    const response = await this.#open('GET', path, parameters, undefined, signal);
    const { statusCode = 0 } = response;
    if (statusCode !== 200) {
      const chunks = (await response.setEncoding('utf8').toArray()) as string[];
      if (statusCode !== 410) throw new ApiError('GET', path, refusal(statusCode, chunks.join('')));
      version.last = undefined;
      return;
    }
    let rest = '';
    response.setEncoding('utf8');
    try {
      for await (const chunk of response as AsyncIterable<string>) {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const event = JSON.parse(line) as WatchEvent;
          // The API server has forgotten the version.
          const { resourceVersion } = event.object.metadata as { readonly resourceVersion?: string };
          version.last = event.type === 'ERROR' ? undefined : resourceVersion;
          onEvent(event);
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  async #pathOf({ apiVersion, kind, metadata }: KubernetesObject, subresource?: string): Promise<string> {
    const path = await this.#path(apiVersion, kind, metadata.namespace, metadata.name);
    return subresource === undefined ? path : `${path}/${subresource}`;
  }

  async #path(apiVersion: string, kind: string, namespace?: string, name?: string): Promise<string> {
    const { name: plural, namespaced } = await this.#resource(apiVersion, kind);
    const inNamespace =
      namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
    return `${groupPath(apiVersion)}${inNamespace}/${plural}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`;
  }

  async #resource(apiVersion: string, kind: string): Promise<Resource> {
    let resources = this.#resources.get(apiVersion);
    if (resources === undefined) {
      resources = this.#discover(apiVersion);
      this.#resources.set(apiVersion, resources);
      // A failure is not kept: the next request asks again.
      resources.catch(() => this.#resources.delete(apiVersion));
    }
    const resource = (await resources).get(kind);
    if (resource === undefined) {
      // a CustomResourceDefinition may bring it later
      this.#resources.delete(apiVersion);
      throw new UnservedKind(`the API server does not serve ${kind} in ${apiVersion}`);
    }
    return resource;
  }

  async #discover(apiVersion: string): Promise<ReadonlyMap<string, Resource>> {
    const path = groupPath(apiVersion);
    const { status, text } = await this.#send('GET', path);
    if (status === 404) return new Map();
    const found = parsed('GET', path, status, text) as unknown as {
      readonly resources: readonly (Resource & { readonly kind: string })[];
    };
    // Subresources are listed beside their resources, as `placements/status`.
    return new Map(
      found.resources.filter(({ name }) => !name.includes('/')).map((resource) => [resource.kind, resource]),
    );
  }

  async #write(method: string, path: string, body: Body, parameters: Query): Promise<KubernetesObject> {
    const { status, text } = await this.#send(method, path, parameters, body);
    return parsed(method, path, status, text);
  }

  async #send(
    method: string,
    path: string,
    parameters: Query = {},
    body?: Body,
  ): Promise<{ status: number; text: string }> {
    const response = await this.#open(method, path, parameters, body);
    const chunks: Buffer[] = [];
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
    return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') };
  }

  #open(
    method: string,
    path: string,
    parameters: Query,
    body?: Body,
    signal?: AbortSignal,
  ): Promise<IncomingMessage> {
    const url = new URL(path, this.#access.server);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return new Promise((resolve, reject) => {
      const sent = request(
        url,
        { method, agent: this.#agent, ...(signal === undefined ? {} : { signal }) },
        resolve,
      );
      sent.on('error', reject);
      sent.setHeader('Accept', 'application/json');
      if (this.#access.token !== undefined) sent.setHeader('Authorization', `Bearer ${this.#access.token}`);
      if (this.#impersonated !== undefined) {
        // Headers are bytes, and the API server reads these as UTF-8.
        const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
        sent.setHeader('Impersonate-User', bytes(this.#impersonated.user));
        sent.setHeader('Impersonate-Group', this.#impersonated.groups.map(bytes));
      }
      if (body !== undefined) sent.setHeader('Content-Type', body.type);
      sent.end(body?.content);
    });
  }
}

function groupPath(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

function json(object: KubernetesObject): Body {
  return { content: JSON.stringify(object), type: 'application/json' };
}

function query({ dryRun, strict, fieldManager: manager = fieldManager }: WriteOptions): Query {
  return {
    fieldManager: manager,
    ...(dryRun === true ? { dryRun: 'All' } : {}),
    ...(strict === true ? { fieldValidation: 'Strict' } : {}),
  };
}

function parsed(method: string, path: string, status: number, text: string): KubernetesObject {
  if (status >= 200 && status < 300) return JSON.parse(text) as KubernetesObject;
  throw new ApiError(method, path, refusal(status, text));
}

function refusal(status: number, text: string): Refusal {
  try {
    const {
      reason = '',
      message = text,
      details,
    } = JSON.parse(text) as Partial<Refusal> & { readonly details?: Partial<Refusal> };
    return { code: status, reason, message, causes: details?.causes ?? [] };
  } catch {
    return { code: status, reason: '', message: text, causes: [] };
  }
}
