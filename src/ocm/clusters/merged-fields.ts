import { goJson } from '../../base/json/go-json.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { mergeTypeOf, type MergeShape } from '../../../schemas/kubernetes/merge-types.ts';

/** A value in a manifest, and how server-side apply merges it. Other kinds than the built-in ones have no shapes. */
export interface MergedField {
  readonly value: unknown;
  readonly shape: MergeShape | undefined;
}

/** Returns a manifest with the shape of its kind. */
export function mergedObject(manifest: JsonMap): MergedField {
  const { apiVersion, kind } = manifest;
  const type = mergeTypeOf(String(apiVersion), String(kind));
  return { value: manifest, shape: type && { isWhole: false, isQuantity: false, type } };
}

/** Returns the shape of a field of a map. */
export function shapeOfField(shape: MergeShape | undefined, name: string): MergeShape | undefined {
  return shape?.type?.field(name) ?? shape?.items;
}

/**
 * Returns the fields of a map, or the items of a list by their keys, each of which can have a separate owner. Undefined for values that have
 * one owner, and for lists with items of equal keys.
 */
export function ownedFields({ value, shape }: MergedField): ReadonlyMap<string, MergedField> | undefined {
  if (shape?.isWhole === true) return undefined;
  if (isJsonMap(value))
    return new Map(
      Object.entries(value).map(([name, field]) => [
        name,
        { value: field, shape: shapeOfField(shape, name) },
      ]),
    );
  if (!Array.isArray(value) || shape?.keys === undefined) return undefined;
  const items: readonly unknown[] = value;
  const fields = new Map<string, MergedField>();
  for (const item of items) {
    const key = itemKey(item, shape);
    if (key === undefined) return undefined;
    fields.set(key, { value: item, shape: shape.items });
  }
  return fields.size === items.length ? fields : undefined;
}

function itemKey(item: unknown, shape: MergeShape): string | undefined {
  if (shape.keys?.length === 0) return goJson(item);
  return isJsonMap(item) ? goJson(keyValues(item, shape)) : undefined;
}

/** Returns the keys of an item of a list that are present or have a default. */
export function keyValues(
  item: JsonMap,
  { keys = [], items }: MergeShape,
): readonly (readonly [string, unknown])[] {
  return keys.flatMap((key) => {
    const value = item[key] ?? items?.type?.defaults[key];
    return value === undefined ? [] : [[key, value] as const];
  });
}
