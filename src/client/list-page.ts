import { isJsonMap, type JsonMap } from '../base/json/json-map.ts';
import type { ApiObject, Stored } from './object.ts';
import type { Resource } from './resource.ts';

/** One page of a list. */
export interface ListPage<T extends ApiObject> {
  readonly items: readonly Stored<T>[];
  readonly resourceVersion: string;
  /** The continue token of the next page; empty for the last page. */
  readonly next: string;
}

/** Returns the page of an answer; undefined for an answer that is not a list of objects with names. */
export function pageOf<T extends ApiObject>(
  { apiVersion, kind }: Resource<T>,
  { kind: kindOfList, items, metadata = {} }: JsonMap,
): ListPage<T> | undefined {
  // Without it, `{"items":null}` of a proxy would be an empty list, and everything that depends on its objects would be removed.
  if (typeof kindOfList !== 'string' || !kindOfList.endsWith('List')) return undefined;
  // Go writes an empty list as null.
  const objects = items ?? [];
  if (
    items === undefined ||
    !Array.isArray(objects) ||
    !objects.every((item) => isJsonMap(item) && isNamed(item['metadata'])) ||
    !isJsonMap(metadata)
  )
    return undefined;
  const { resourceVersion = '', continue: next = '', remainingItemCount = 0 } = metadata;
  if (typeof resourceVersion !== 'string' || typeof next !== 'string') return undefined;
  // A list with more objects and no way to read them is not complete.
  if (next === '' && remainingItemCount !== 0 && remainingItemCount !== null) return undefined;
  // Items of a list omit the apiVersion and kind of the list.
  const stored = objects.map((item: JsonMap) => ({ ...item, apiVersion, kind }) as unknown as Stored<T>);
  return { items: stored, resourceVersion, next };
}

/** Whether metadata contains a name, and a namespace if there is one. */
export function isNamed(metadata: unknown): boolean {
  if (!isJsonMap(metadata)) return false;
  const { name, namespace = '' } = metadata;
  return typeof name === 'string' && name !== '' && typeof namespace === 'string';
}
