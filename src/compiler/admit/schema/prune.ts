import type { StructuralSchema } from '../../../../schemas/index.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { fieldSchema } from './field-schema.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';

/** The fields that all objects have, whatever their schema. */
export const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** An object without the fields that are unknown to its schema, and these fields. */
export interface Pruned {
  /** The object itself if all its fields are known. */
  readonly value: JsonMap;
  readonly unknown: readonly UnknownField[];
}

export interface UnknownField {
  readonly path: FieldPath;
  /** The schema of the object that contains the field; undefined if no object is expected at all. */
  readonly schema: StructuralSchema | undefined;
}

/**
 * Removes unknown fields from an object. As apiextensions pruning.PruneWithOptions; strict field validation rejects these fields.
 * If the schema expects a string instead of an object, all fields of the object are unknown.
 */
export function prune(object: JsonMap, schema: StructuralSchema): Pruned {
  const unknown: UnknownField[] = [];
  const value = pruneMap(object, schema, true, { path: [], unknown });
  return { value, unknown };
}

interface Walk {
  readonly path: (string | number)[];
  readonly unknown: UnknownField[];
}

function pruneValue(value: unknown, schema: StructuralSchema | undefined, walk: Walk): unknown {
  if (isJsonMap(value)) {
    return pruneMap(value, schema, schema?.['x-kubernetes-embedded-resource'] === true, walk);
  }
  if (!isJsonList(value)) return value;
  const preserving = schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  return pruneList(value, preserving ? (schema.items ?? preserveAll) : schema?.items, walk);
}

const preserveAll: StructuralSchema = { 'x-kubernetes-preserve-unknown-fields': true };

function pruneList(
  list: readonly unknown[],
  items: StructuralSchema | undefined,
  walk: Walk,
): readonly unknown[] {
  let pruned: unknown[] | undefined;
  for (const [index, item] of list.entries()) {
    walk.path.push(index);
    const prunedItem = pruneValue(item, items, walk);
    walk.path.pop();
    if (prunedItem === item) continue;
    pruned ??= [...list];
    pruned[index] = prunedItem;
  }
  return pruned ?? list;
}

function pruneMap(
  map: JsonMap,
  schema: StructuralSchema | undefined,
  isResource: boolean,
  walk: Walk,
): JsonMap {
  const preserving = schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  let pruned: Record<string, unknown> | undefined;
  for (const key of Object.keys(map)) {
    if (isResource && metaFields.has(key)) continue;
    const value = map[key];
    const field = fieldSchema(schema, key);
    walk.path.push(key);
    let prunedField: unknown;
    // a construct sets `undefined` for an absent value: JSON has no such field
    if (value === undefined) prunedField = undefined;
    else if (field !== undefined) prunedField = pruneValue(value, field, walk);
    else if (preserving) prunedField = value;
    else walk.unknown.push({ path: [...walk.path], schema });
    walk.path.pop();
    if (prunedField === value && value !== undefined) continue;
    pruned ??= { ...map };
    if (prunedField === undefined) delete pruned[key];
    else pruned[key] = prunedField;
  }
  return pruned ?? map;
}
