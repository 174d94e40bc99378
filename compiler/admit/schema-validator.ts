import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { StructuralSchema } from '../../schemas/index.ts';
import type { Fault } from './fault.ts';
import { formats } from './formats.ts';
import type { JsonMap } from './json-map.ts';
import { toFault } from './schema-fault.ts';

const ajv = new Ajv({
  allErrors: true,
  // `toString` and its like are no fields
  ownProperties: true,
  strictTypes: false,
  // Go's regular expressions know no `u` flag, and some of OCM's patterns escape what JavaScript then does not allow
  unicodeRegExp: false,
  verbose: true,
  // optimizing the code takes longer than validating ten thousand objects without
  code: { optimize: false },
  formats: {
    'date-time': formats['date-time'],
    byte: formats.byte,
    int32: { type: 'number', validate: formats.int32 },
    int64: { type: 'number', validate: formats.int64 },
  },
});

const validators = new WeakMap<StructuralSchema, ValidateFunction>();

/**
 * Holds an object, pruned and with defaults, against the types, limits, patterns and formats of its schema.
 * As apiextensions validation.ValidateCustomResource, in ajv's order.
 */
export function schemaFaults(object: JsonMap, schema: StructuralSchema): Fault[] {
  let validate = validators.get(schema);
  if (validate === undefined) {
    validate = ajv.compile(ajvSchema(withoutTypeMeta(schema)));
    validators.set(schema, validate);
  }
  if (validate(object)) return [];
  return onePerValue(validate.errors ?? []).flatMap((error) => toFault(error, object) ?? []);
}

/** A value that is not among the allowed ones, or of the wrong type, need not be told of its limits as well. */
function onePerValue(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const worst = new Map<string, ErrorObject>();
  for (const error of errors) {
    const { instancePath, keyword } = error;
    if (keyword === 'enum' || (keyword === 'type' && worst.get(instancePath)?.keyword !== 'enum')) {
      worst.set(instancePath, error);
    }
  }
  return errors.filter((error) => (worst.get(error.instancePath) ?? error) === error);
}

/** apiVersion, kind and metadata are not the schema's: the API server checks them by rules of its own. */
function withoutTypeMeta({ properties = {}, required = [], ...schema }: StructuralSchema): StructuralSchema {
  const { apiVersion: _, kind: __, metadata: ___, ...fields } = properties;
  return {
    ...schema,
    properties: fields,
    required: required.filter((name) => name !== 'apiVersion' && name !== 'kind' && name !== 'metadata'),
  };
}

/** The schema as ajv has to see it to answer as kube-openapi does. */
function ajvSchema(schema: StructuralSchema): object {
  const { properties, items, additionalProperties, format, enum: values, required } = schema;
  const types = typesOf(schema);
  const isNumber = types.includes('integer') || types.includes('number');
  return {
    ...(types.length === 0 ? {} : { type: types }),
    // every integer must fit into Go's int64, or it is none
    ...(format === undefined ? (types.includes('integer') ? { format: 'int64' } : {}) : { format }),
    // as kube-openapi typeValidator, which lets lists pass for texts with a format
    ...(format !== undefined && !isNumber ? { type: [...types, 'array'] } : {}),
    ...(values === undefined ? {} : { enum: values }),
    ...(required === undefined || required.length === 0 ? {} : { required }),
    ...limitsOf(schema),
    ...(properties === undefined ? {} : { properties: mapValues(properties, ajvSchema) }),
    ...(items === undefined ? {} : { items: ajvSchema(items) }),
    ...(additionalProperties === undefined || additionalProperties === false
      ? {}
      : { additionalProperties: ajvSchema(additionalProperties) }),
  };
}

function typesOf({ type, 'x-kubernetes-int-or-string': isIntOrString }: StructuralSchema): string[] {
  // as ConvertJSONSchemaPropsWithPostProcess; the `anyOf` of such a schema says the same again
  if (isIntOrString) return ['integer', 'string'];
  if (type === undefined) return [];
  return typeof type === 'string' ? [type] : [...type];
}

function limitsOf(schema: StructuralSchema): object {
  const { pattern, minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  const limits = { pattern, minLength, maxLength, minimum, maximum, minItems, maxItems };
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}

function mapValues<T, U>(map: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
