import { ApiCalls, type ApiCallOptions } from './api-calls.ts';
import { isNotFound } from './api-error.ts';
import { ApiReader } from './api-reader.ts';
import type { ApiObject, ObjectName, Stored } from './object.ts';
import { collectionPath, objectPath, type Resource, type Subresource } from './resource.ts';
import type { Transport } from './transport.ts';

export interface ApiClientOptions extends ApiCallOptions {
  /** The field manager of written fields. */
  readonly fieldManager: string;
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

/** Reads and writes objects. All methods throw as those of ApiReader. */
export class ApiClient extends ApiReader {
  readonly #transport: Transport;
  readonly #options: ApiClientOptions;
  readonly #calls: ApiCalls;

  constructor(transport: Transport, options: ApiClientOptions) {
    super(transport, { ...options, isChecked: true });
    this.#transport = transport;
    this.#options = options;
    this.#calls = new ApiCalls(transport, { ...options, isChecked: true });
  }

  /** Returns the same client over another transport, such as one that rejects writes. */
  over(wrap: (transport: Transport) => Transport): ApiClient {
    return new ApiClient(wrap(this.#transport), this.#options);
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
}
