import type { JsonValue, StructuralSchema } from '../../../../schemas/index.ts';
import { fieldSchema } from './field-schema.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { subtreeTest } from './subtree.ts';

/**
 * Removes nulls without a meaning: of fields that have no default and are not nullable. Nulls in lists stay. As apiextensions
 * defaulting.PruneNonNullableNullsWithoutDefaults. Returns the value itself if nothing changes.
 */
export function dropNulls(value: unknown, schema: StructuralSchema): unknown {
  if (isJsonList(value))
    return mapList(value, (item) => (schema.items ? dropNulls(item, schema.items) : item));
  if (!isJsonMap(value)) return value;
  return mapFields(value, (field, key) => {
    const declared = fieldSchema(schema, key);
    if (declared === undefined) return field;
    if (isUnwantedNull(field, declared)) return declared.default === undefined ? undefined : field;
    return dropNulls(field, declared);
  });
}

/** Returns the fields whose nulls `dropNulls` removes, in order. */
export function* droppedNulls(
  value: unknown,
  schema: StructuralSchema,
  path: FieldPath = [],
): Generator<FieldPath> {
  const { items } = schema;
  if (isJsonList(value) && items !== undefined)
    for (const [index, item] of value.entries()) yield* droppedNulls(item, items, [...path, index]);
  if (!isJsonMap(value)) return;
  for (const [key, field] of Object.entries(value)) {
    const declared = fieldSchema(schema, key);
    if (declared === undefined) continue;
    if (!isUnwantedNull(field, declared)) yield* droppedNulls(field, declared, [...path, key]);
    else if (declared.default === undefined) yield [...path, key];
  }
}

/**
 * Sets missing fields to their defaults; a null in a field that is not nullable counts as missing. Defaults inside an object
 * apply only if the object is present. As apiextensions defaulting.Default. Returns the value itself if nothing changes.
 */
export function applyDefaults(value: unknown, schema: StructuralSchema): unknown {
  if (!hasDefaults(schema)) return value;
  if (isJsonList(value)) {
    const { items } = schema;
    if (items === undefined) return value;
    return mapList(value, (item) => applyDefaults(orDefault(item, items), items));
  }
  if (!isJsonMap(value)) return value;
  const present = mapFields(value, (field, key) => {
    const declared = fieldSchema(schema, key);
    return declared === undefined ? field : applyDefaults(orDefault(field, declared), declared);
  });
  let complete: Record<string, unknown> | undefined;
  for (const [key, declared] of defaultedFields(schema)) {
    if (Object.hasOwn(present, key)) continue;
    complete ??= { ...present };
    complete[key] = applyDefaults(declared.default, declared);
  }
  return complete ?? present;
}

const hasDefaults = subtreeTest((schema) => schema.default !== undefined);

function orDefault(value: unknown, schema: StructuralSchema): unknown {
  return isUnwantedNull(value, schema) ? (schema.default ?? null) : value;
}

function isUnwantedNull(value: unknown, schema: StructuralSchema): boolean {
  return value === null && schema.nullable !== true;
}

type Defaulted = StructuralSchema & { readonly default: JsonValue };

const defaulted = new WeakMap<StructuralSchema, readonly (readonly [string, Defaulted])[]>();

function defaultedFields(schema: StructuralSchema): readonly (readonly [string, Defaulted])[] {
  let fields = defaulted.get(schema);
  if (fields === undefined) {
    fields = Object.entries(schema.properties ?? {}).filter(
      (field): field is [string, Defaulted] => field[1].default !== undefined,
    );
    defaulted.set(schema, fields);
  }
  return fields;
}

function mapList(list: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (const [index, item] of list.entries()) {
    const replacement = change(item);
    if (replacement === item) continue;
    changed ??= [...list];
    changed[index] = replacement;
  }
  return changed ?? list;
}

/** `change` returns undefined to remove a field. */
function mapFields(map: JsonMap, change: (field: unknown, key: string) => unknown): JsonMap {
  let changed: Record<string, unknown> | undefined;
  for (const key of Object.keys(map)) {
    const replacement = change(map[key], key);
    if (replacement === map[key]) continue;
    changed ??= { ...map };
    if (replacement === undefined) delete changed[key];
    else changed[key] = replacement;
  }
  return changed ?? map;
}
