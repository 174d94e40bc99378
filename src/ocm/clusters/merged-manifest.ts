import { goJson } from '../../base/json/go-json.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { keyValues, mergeKeysOf } from './merged-lists.ts';

/** Returns what an object has once server-side apply has written a manifest over fields of other managers, which stay. */
export function mergedManifest(before: JsonMap, manifest: JsonMap): JsonMap {
  return merged(before, manifest, '') as JsonMap;
}

/** @param field - its name, after that of the field around it */
function merged(before: unknown, after: unknown, field: string): unknown {
  if (after === undefined || after === null) return before;
  if (isJsonMap(before) && isJsonMap(after)) {
    const name = field.split('.').at(-1) ?? '';
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return Object.fromEntries(
      Array.from(keys, (key) => [key, merged(before[key], after[key], `${name}.${key}`)]),
    );
  }
  if (Array.isArray(before) && Array.isArray(after)) return mergedLists(before, after, field);
  return after;
}

function mergedLists(before: readonly unknown[], after: readonly unknown[], field: string): unknown {
  const keys = mergeKeysOf(field, [...before, ...after]);
  if (keys === undefined || ![...before, ...after].every(isJsonMap)) return after;
  const items = new Map<string, unknown>();
  for (const item of [...before, ...after].filter(isJsonMap)) {
    const key = goJson(keyValues(item, keys));
    items.set(key, merged(items.get(key), item, ''));
  }
  return [...items.values()];
}
