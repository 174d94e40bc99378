import type { StructuralSchema } from '../../schemas/index.ts';
import type { Fault } from './fault.ts';
import type { JsonMap } from '../../encoding/json-map.ts';
import { SchemaCheck, type SchemaError } from './schema-check.ts';
import { toFault } from './schema-fault.ts';

const checks = new WeakMap<StructuralSchema, SchemaCheck>();

/**
 * Holds an object, pruned and with defaults, against the types, limits, patterns and formats of its schema.
 * As apiextensions validation.ValidateCustomResource.
 */
export function schemaFaults(object: JsonMap, schema: StructuralSchema): Fault[] {
  const check = checks.get(schema) ?? new SchemaCheck(withoutTypeMeta(schema));
  checks.set(schema, check);
  const errors: SchemaError[] = [];
  check.run(object, [], errors);
  return onePerValue(errors).flatMap((error) => toFault(error) ?? []);
}

/** A value that is not among the allowed ones, or of the wrong type, need not be told of its limits as well. */
function onePerValue(errors: readonly SchemaError[]): readonly SchemaError[] {
  if (errors.length < 2) return errors;
  const worst = new Map<string, SchemaError>();
  const keyOf = ({ path }: SchemaError): string => JSON.stringify(path);
  for (const error of errors) {
    const { keyword } = error;
    const key = keyOf(error);
    if (keyword === 'enum' || (keyword === 'type' && worst.get(key)?.keyword !== 'enum')) {
      worst.set(key, error);
    }
  }
  return errors.filter((error) => (worst.get(keyOf(error)) ?? error) === error);
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
