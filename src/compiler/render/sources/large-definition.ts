import {
  goJson,
  isGoJsonList,
  isGoJsonObject,
  type GoJsonObject,
  type GoJsonValue,
} from '../../../base/json/go-json.ts';
import { manifestLimit } from '../works/manifest-limit.ts';

/** Bytes of a work beside the text of its only manifest. */
const overhead = 1024;

/** By the definition, which is the same object on many clusters. */
const smaller = new WeakMap<GoJsonObject, GoJsonObject>();

/**
 * Returns a CustomResourceDefinition without the descriptions in its schemas, if it is too large for a work with them. Otherwise it returns
 * the object itself.
 */
export function fittingDefinition(object: GoJsonObject): GoJsonObject {
  const earlier = smaller.get(object);
  if (earlier !== undefined) return earlier;
  const isLarge =
    object['kind'] === 'CustomResourceDefinition' &&
    Buffer.byteLength(goJson(object)) + overhead > manifestLimit;
  const fitting = isLarge ? withoutDescriptions(object) : object;
  smaller.set(object, fitting);
  return fitting;
}

function withoutDescriptions(definition: GoJsonObject): GoJsonObject {
  const spec = definition['spec'];
  if (!isGoJsonObject(spec) || !isGoJsonList(spec['versions'])) return definition;
  return { ...definition, spec: { ...spec, versions: spec['versions'].map(undescribedVersion) } };
}

function undescribedVersion(version: GoJsonValue): GoJsonValue {
  if (!isGoJsonObject(version) || !isGoJsonObject(version['schema'])) return version;
  const { schema } = version;
  return {
    ...version,
    schema: { ...schema, openAPIV3Schema: undescribed(schema['openAPIV3Schema'] ?? null) },
  };
}

/** Fields of a schema that are schemas, lists of schemas, or maps of them. */
const schemaFields = new Set(['items', 'additionalProperties', 'not', 'allOf', 'anyOf', 'oneOf']);
const schemaMaps = new Set(['properties', 'patternProperties']);

function undescribed(schema: GoJsonValue): GoJsonValue {
  if (isGoJsonList(schema)) return schema.map(undescribed);
  if (!isGoJsonObject(schema)) return schema;
  const fields = Object.entries(schema).flatMap(([name, value]): [string, GoJsonValue][] => {
    if (name === 'description' || value === undefined) return [];
    if (schemaFields.has(name)) return [[name, undescribed(value)]];
    return [[name, schemaMaps.has(name) ? undescribedMap(value) : value]];
  });
  return Object.fromEntries(fields);
}

function undescribedMap(schemas: GoJsonValue): GoJsonValue {
  if (!isGoJsonObject(schemas)) return schemas;
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, undescribed(schema ?? null)]),
  );
}
