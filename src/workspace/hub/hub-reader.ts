import { isNotFound, TerminalError } from '../../client/api-error.ts';
import type { ApiReader, Selection } from '../../client/api-reader.ts';
import { servedResources, servedVersions } from '../../client/discovery.ts';
import type { ApiObject, ObjectName } from '../../client/object.ts';
import { answeredObject } from '../../client/answered-object.ts';
import type { Resource } from '../../client/resource.ts';
import { formatFieldPath } from '../../compiler/index.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { HubError, hubError, unexpectedField } from './hub-error.ts';

/**
 * Reads a hub for commands, and reports failures as diagnostics. Nothing that it can reach writes. All methods throw
 * HubError if the hub rejects the request or does not answer.
 */
export class HubReader {
  readonly #reader: ApiReader;

  constructor(reader: ApiReader) {
    this.#reader = reader;
  }

  /** The URL of the API server. */
  get server(): string {
    return this.#reader.server;
  }

  /**
   * Returns all objects of a kind in all namespaces, in the order of the API server; undefined if the hub does not
   * serve the kind.
   */
  async list(
    resource: Resource,
    selection: Selection = {},
  ): Promise<readonly KubernetesObject[] | undefined> {
    // Memory is not bounded here as it is in a process that runs for months.
    const options = { ...selection, largestPage: Infinity };
    return await this.#attempt('list', resource, async () => {
      const objects: readonly ApiObject[] = await this.#reader.list(resource, options);
      return objects.map((object) => this.#checked(object, resource));
    });
  }

  /**
   * Returns a part of each object of a selection, so that large objects need not all be in memory; undefined if the hub does not
   * serve the kind.
   */
  async listParts<P>(
    resource: Resource,
    selection: Selection,
    partOf: (object: KubernetesObject) => P,
  ): Promise<readonly P[] | undefined> {
    return await this.#attempt(
      'list',
      resource,
      async () =>
        await this.#reader.listParts(resource, selection, (object: ApiObject) =>
          partOf(this.#checked(object, resource)),
        ),
    );
  }

  /** Returns one object; undefined if it does not exist, or the hub does not serve the kind. */
  async get(resource: Resource, name: ObjectName): Promise<KubernetesObject | undefined> {
    return await this.#attempt('get', resource, async () => {
      const object: ApiObject | undefined = await this.#reader.get(resource, name);
      return object && this.#checked(object, resource);
    });
  }

  /**
   * Returns the kinds of a group, each in the first version that has it, beginning with the one that the hub prefers; an empty list if
   * the hub does not serve the group. ManifestWorkReplicaSets are only in v1alpha1, and the hub prefers v1.
   */
  async resourcesOf(group: string): Promise<readonly Resource[]> {
    const resources = await this.#attempt('list', undefined, async () => {
      const kinds = new Map<string, Resource>();
      for (const version of await servedVersions(this.#reader, group))
        for (const resource of await servedResources(this.#reader, version))
          if (!kinds.has(resource.kind)) kinds.set(resource.kind, resource);
      return [...kinds.values()];
    });
    return resources ?? [];
  }

  /** @throws HubError if the object is not one of its kind */
  #checked(answer: ApiObject, resource: Resource): KubernetesObject {
    const result = answeredObject(answer as KubernetesObject, resource);
    if ('object' in result) return result.object;
    const { path, expected } = result.fault;
    const { metadata } = answer;
    throw unexpectedField(this.server, { kind: resource.kind, metadata }, formatFieldPath(path), expected);
  }

  /** Returns undefined for what does not exist. */
  async #attempt<T>(
    verb: 'list' | 'get',
    resource: Resource | undefined,
    read: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof HubError) throw error;
      // References may contain any text. Nothing has a name that cannot be part of a path.
      if (isNotFound(error) || error instanceof TerminalError) return undefined;
      throw hubError(error, { server: this.server, verb, resource });
    }
  }
}
