import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import { groupOf } from '../../../base/names/resource-name.ts';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { ApiReader } from '../../../client/api-reader.ts';
import { servedResources } from '../../../client/discovery.ts';
import type { Resource } from '../../../client/resource.ts';

/** The kinds that a hub serves, read once per version. */
export class ServedKinds {
  readonly #reader: ApiReader;
  readonly #versions = new Map<string, Promise<readonly Resource[]>>();

  constructor(reader: ApiReader) {
    this.#reader = reader;
  }

  /** Returns the kind of an object; undefined if the hub does not serve it. @throws ApiError, ConnectionError, AnswerError */
  async of({
    apiVersion,
    kind,
  }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): Promise<Resource | undefined> {
    const resources = await getOrInsertComputed(
      this.#versions,
      apiVersion,
      async () => await servedResources(this.#reader, apiVersion),
    );
    return resources.find((each) => each.kind === kind);
  }
}

/** Returns the name of a kind in rules of roles. */
export function ruleOf({ apiVersion, plural }: Resource): {
  readonly group: string;
  readonly resource: string;
} {
  return { group: groupOf(apiVersion), resource: plural };
}
