import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { canonicalString, parseQuantity } from '../../base/quantity.ts';
import { defaultingOf } from '../../../schemas/kubernetes/api-defaults.ts';
import type { MergeType } from '../../../schemas/kubernetes/merge-types.ts';
import { mergedObject, shapeOfField, type MergedField } from './merged-fields.ts';

/**
 * Returns what the API server stores of a manifest: with the defaults of all fields, which a manager that creates or updates the object
 * owns, and with quantities in their canonical form.
 */
export function completedManifest(manifest: JsonMap): JsonMap {
  return remembered(all, manifest, () => completed(mergedObject(manifest), true) as JsonMap);
}

/**
 * Returns what the API server stores of the fields that a manifest has, and that a manager owns once it has applied it: the defaults that
 * the API server writes into a value with one owner belong to that value, all others to no manager.
 */
export function completedFields(manifest: JsonMap): JsonMap {
  return remembered(fields, manifest, () => completed(mergedObject(manifest), false) as JsonMap);
}

const all = new WeakMap<JsonMap, JsonMap>();
const fields = new WeakMap<JsonMap, JsonMap>();

function remembered(cache: WeakMap<JsonMap, JsonMap>, manifest: JsonMap, compute: () => JsonMap): JsonMap {
  const earlier = cache.get(manifest);
  if (earlier !== undefined) return earlier;
  const computed = compute();
  cache.set(manifest, computed);
  return computed;
}

/** @param isInside - whether absent fields are added */
function completed({ value, shape }: MergedField, isInside: boolean): unknown {
  if (shape === undefined || value === undefined || value === null) return value;
  if (shape.isQuantity) return canonical(value);
  const isWithin = isInside || shape.isWhole;
  if (Array.isArray(value))
    return value.map((item: unknown) => completed({ value: item, shape: shape.items }, isWithin));
  if (!isJsonMap(value)) return value;
  const { type } = shape;
  const entries = Object.entries(isWithin && type !== undefined ? withDefaults(value, type) : value);
  return Object.fromEntries(
    entries.map(([name, field]) => [
      name,
      completed({ value: field, shape: shapeOfField(shape, name) }, isWithin),
    ]),
  );
}

function withDefaults(value: JsonMap, { name, defaults }: MergeType): JsonMap {
  const absent = Object.entries(defaults).filter(([field]) => (value[field] ?? undefined) === undefined);
  const typed = absent.length === 0 ? value : { ...value, ...Object.fromEntries(absent) };
  return defaultingOf(name)?.(typed) ?? typed;
}

function canonical(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const { quantity } = parseQuantity(String(value));
  return quantity === undefined ? value : canonicalString(quantity);
}
