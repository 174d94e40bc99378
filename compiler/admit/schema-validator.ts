import type { StructuralSchema } from '../../schemas/index.ts';
import type { Fault } from './fault.ts';
import type { JsonMap } from '../../kubernetes/json-map.ts';
import { SchemaCheck, type SchemaError } from './schema-check.ts';
import { toFault } from './schema-fault.ts';

const checks = new WeakMap<StructuralSchema, SchemaCheck>();

/**
 * Validates an object, pruned and with defaults, against the types, limits, patterns and formats of its schema. As apiextensions
 * validation.ValidateCustomResource.
 */
export function schemaFaults(object: JsonMap, schema: StructuralSchema): Fault[] {
  const check = checks.get(schema) ?? new SchemaCheck(withoutTypeMeta(schema));
  checks.set(schema, check);
  const errors: SchemaError[] = [];
  check.run(object, [], errors);
  return onePerValue(errors).flatMap((error) => toFault(error) ?? []);
}

/**
 * Returns at most one kind of error per value: if a value is not an allowed one, or has the wrong type, errors about its limits
 * are left out.
 */
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

/** Removes apiVersion, kind and metadata from a schema, because the API server validates them by separate rules. */
function withoutTypeMeta({ properties = {}, required = [], ...schema }: StructuralSchema): StructuralSchema {
  const { apiVersion: _, kind: __, metadata: ___, ...fields } = properties;
  return {
    ...schema,
    properties: fields,
    required: required.filter((name) => name !== 'apiVersion' && name !== 'kind' && name !== 'metadata'),
  };
}
