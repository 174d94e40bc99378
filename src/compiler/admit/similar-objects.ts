import type { KindVersion, StructuralSchema } from '../../../schemas/index.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { fieldSchema } from './schema/field-schema.ts';
import { duplicateEntries } from './schema/list-map.ts';
import { metaFields } from './schema/prune.ts';
import { fitsSchema } from './schema/schema-validator.ts';
import { undecodable } from './schema/undecodable.ts';

const maxModels = 4;
/** If fewer than one of this number of objects is similar to an earlier one, a kind is no longer compared. */
const tries = 16;

interface Models {
  readonly recent: JsonMap[];
  hits: number;
  misses: number;
}

/**
 * Objects that the API server stores unchanged and without findings, except for their metadata. An object with the same fields is
 * stored unchanged too if the values that differ are valid: nothing else depends on them. Most objects of a fleet differ only in
 * their names, labels and a few values.
 */
export class SimilarObjects {
  readonly #models = new Map<KindVersion, Models>();

  /** Whether an object has the fields of an earlier one, with valid values. The metadata is not compared. */
  has(object: JsonMap, version: KindVersion): boolean {
    const models = this.#models.get(version);
    if (models === undefined || isHopeless(models) || hasWiderRules(version.schema)) return false;
    const isSimilar = models.recent.some((model) => hasSimilarFields(object, model, version.schema, true));
    if (isSimilar) models.hits++;
    else models.misses++;
    return isSimilar;
  }

  /** @param object - an object that is stored unchanged, without findings */
  add(object: JsonMap, version: KindVersion): void {
    const models = this.#models.get(version) ?? { recent: [], hits: 0, misses: 0 };
    this.#models.set(version, models);
    if (isHopeless(models)) return;
    models.recent.unshift(object);
    if (models.recent.length > maxModels) models.recent.pop();
  }
}

function isHopeless({ hits, misses }: Models): boolean {
  return misses > tries && hits * tries < misses;
}

/** A rule may read everything in the value that it is written for, and embedded objects have rules for their metadata. */
function hasWiderRules(schema: StructuralSchema): boolean {
  return (
    schema['x-kubernetes-validations'] !== undefined || schema['x-kubernetes-embedded-resource'] === true
  );
}

function isSimilar(value: unknown, model: unknown, schema: StructuralSchema): boolean {
  if (value === model) return true;
  if (hasWiderRules(schema)) return false;
  if (isJsonList(value)) return isJsonList(model) && hasSimilarItems(value, model, schema);
  if (isJsonMap(value)) return isJsonMap(model) && hasSimilarFields(value, model, schema, false);
  return value !== null && typeof value === typeof model && fitsSchema(value, schema);
}

function hasSimilarItems(
  list: readonly unknown[],
  model: readonly unknown[],
  schema: StructuralSchema,
): boolean {
  const { items } = schema;
  if (list.length !== model.length || items === undefined) return false;
  if (!list.every((item, index) => isSimilar(item, model[index], items))) return false;
  const hasOtherLeaf = list.some((item, index) => item !== model[index] && typeof item !== 'object');
  if (hasOtherLeaf && undecodable(list, schema).length > 0) return false;
  return hasSameKeys(list, model, schema) || duplicateEntries(list, schema).length === 0;
}

/** Whether the items of a list that is a map have the keys of the model. */
function hasSameKeys(
  list: readonly unknown[],
  model: readonly unknown[],
  { 'x-kubernetes-list-type': type, 'x-kubernetes-list-map-keys': keys }: StructuralSchema,
): boolean {
  if (type !== 'map' || keys === undefined) return type !== 'set';
  return list.every((item, index) => {
    const other = model[index];
    return isJsonMap(item) && isJsonMap(other) && keys.every((key) => item[key] === other[key]);
  });
}

function hasSimilarFields(
  object: JsonMap,
  model: JsonMap,
  schema: StructuralSchema,
  isResource: boolean,
): boolean {
  const keys = Object.keys(object);
  if (keys.length !== Object.keys(model).length) return false;
  let hasOtherLeaf = false;
  for (const key of keys) {
    const value = object[key];
    if (value === undefined || !Object.hasOwn(model, key)) return false;
    if (isResource && metaFields.has(key)) continue;
    const other = model[key];
    if (value === other) continue;
    const field = fieldSchema(schema, key);
    // Values without a schema stay as they are.
    if (field === undefined) continue;
    if (!isSimilar(value, other, field)) return false;
    hasOtherLeaf ||= typeof value !== 'object';
  }
  return !hasOtherLeaf || undecodable(object, schema).length === 0;
}
