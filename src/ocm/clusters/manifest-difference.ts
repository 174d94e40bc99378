import { goJson } from '../../base/json/go-json.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { keyValues, mergeKeysOf } from './merged-lists.ts';

/** Where two manifests of one object differ. */
export interface ManifestDifference {
  /** Whether both set a field, to different values. */
  readonly hasShared: boolean;
  /** Whether the first one sets fields that the other one does not have. */
  readonly hasFirst: boolean;
  /** Whether the second one does. */
  readonly hasSecond: boolean;
}

/** Returns where the content of two manifests differs, without metadata and status. */
export function contentDifference(first: JsonMap, second: JsonMap): ManifestDifference {
  return differenceOf(contentOf(first), contentOf(second));
}

/** Returns where the labels and annotations of two manifests differ. */
export function metadataDifference(first: JsonMap, second: JsonMap): ManifestDifference {
  return differenceOf(labelsAndAnnotations(first), labelsAndAnnotations(second));
}

/** Returns the part of a manifest that an update replaces. */
export function contentOf(manifest: JsonMap): JsonMap {
  const others = new Set(['apiVersion', 'kind', 'metadata', 'status']);
  return Object.fromEntries(Object.entries(manifest).filter(([field]) => !others.has(field)));
}

function labelsAndAnnotations({ metadata }: JsonMap): JsonMap {
  const { labels, annotations } = isJsonMap(metadata) ? metadata : {};
  return { labels, annotations };
}

function differenceOf(first: unknown, second: unknown): ManifestDifference {
  const found = { hasShared: false, hasFirst: false, hasSecond: false };
  compare(first, second, '', found);
  return found;
}

type Found = { -readonly [Field in keyof ManifestDifference]: boolean };

/** @param field - its name, after that of the field around it */
function compare(first: unknown, second: unknown, field: string, found: Found): void {
  if (isAbsent(first) || isAbsent(second)) {
    if (!isAbsent(first)) found.hasFirst = true;
    if (!isAbsent(second)) found.hasSecond = true;
    return;
  }
  const [one, other] = [fieldsOf(first, field), fieldsOf(second, field)];
  if (one === undefined || other === undefined) {
    if (goJson(first) !== goJson(second)) found.hasShared = true;
    return;
  }
  for (const key of new Set([...one.keys(), ...other.keys()]))
    compare(
      one.get(key),
      other.get(key),
      Array.isArray(first) ? '' : `${field.split('.').at(-1)}.${key}`,
      found,
    );
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Returns the fields of a map, or the items of a list with keys. Undefined for values that have one owner. */
function fieldsOf(value: unknown, field: string): ReadonlyMap<string, unknown> | undefined {
  if (isJsonMap(value)) return new Map(Object.entries(value));
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const keys = mergeKeysOf(field, items);
  if (keys === undefined || items.length === 0 || !items.every(isJsonMap)) return undefined;
  const fields = new Map(items.map((item) => [goJson(keyValues(item, keys)), item]));
  return fields.size === items.length ? fields : undefined;
}
