import { goJson } from '../../base/json/go-json.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { mergedObject, ownedFields, type MergedField } from './merged-fields.ts';

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
  const { shape } = mergedObject(second);
  return differenceOf({ value: contentOf(first), shape }, { value: contentOf(second), shape });
}

/** Returns where the labels and annotations of two manifests differ. */
export function metadataDifference(first: JsonMap, second: JsonMap): ManifestDifference {
  const [one, other] = [first, second].map((manifest) => ({
    value: labelsAndAnnotations(manifest),
    shape: undefined,
  })) as [MergedField, MergedField];
  return differenceOf(one, other);
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

function differenceOf(first: MergedField, second: MergedField): ManifestDifference {
  const found = { hasShared: false, hasFirst: false, hasSecond: false };
  compare(first, second, found);
  return found;
}

type Found = { -readonly [Field in keyof ManifestDifference]: boolean };

function compare(first: MergedField | undefined, second: MergedField | undefined, found: Found): void {
  if (!isPresent(first) || !isPresent(second)) {
    if (isPresent(first)) found.hasFirst = true;
    if (isPresent(second)) found.hasSecond = true;
    return;
  }
  const [one, other] = [ownedFields(first), ownedFields(second)];
  if (one === undefined || other === undefined) {
    if (goJson(first.value) !== goJson(second.value)) found.hasShared = true;
    return;
  }
  for (const key of new Set([...one.keys(), ...other.keys()])) compare(one.get(key), other.get(key), found);
}

function isPresent(field: MergedField | undefined): field is MergedField {
  return field?.value !== undefined && field.value !== null;
}
