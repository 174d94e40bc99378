import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { StructuralSchema } from '../../../../schemas/index.ts';
import type { Fault } from '../fault.ts';
import type { JsonMap } from '../../../base/json/json-map.ts';
import { SchemaCheck, type SchemaViolation } from './schema-check.ts';
import { toFault } from './schema-fault.ts';

const checks = new WeakMap<StructuralSchema, SchemaCheck>();

/**
 * Validates an object, pruned and with defaults, against the types, limits, patterns and formats of its schema. As apiextensions
 * validation.ValidateCustomResource.
 */
export function schemaFaults(object: JsonMap, schema: StructuralSchema): Fault[] {
  const check = getOrInsertComputed(checks, schema, () => new SchemaCheck(withoutTypeMeta(schema)));
  const violations: SchemaViolation[] = [];
  check.run(object, [], violations);
  return onePerValue(violations).flatMap((error) => toFault(error) ?? []);
}

const partChecks = new WeakMap<StructuralSchema, SchemaCheck>();

/** Whether a value fits the schema of a field or an item. */
export function fitsSchema(value: unknown, schema: StructuralSchema): boolean {
  const check = getOrInsertComputed(partChecks, schema, () => new SchemaCheck(schema));
  const violations: SchemaViolation[] = [];
  check.run(value, [], violations);
  return violations.length === 0;
}

/**
 * Returns at most one kind of violation per value: if a value is not an allowed one, or has the wrong type, violations about its limits
 * are left out.
 */
function onePerValue(violations: readonly SchemaViolation[]): readonly SchemaViolation[] {
  if (violations.length < 2) return violations;
  const worst = new Map<string, SchemaViolation>();
  const keyOf = ({ path }: SchemaViolation): string => JSON.stringify(path);
  for (const error of violations) {
    const { keyword } = error;
    const key = keyOf(error);
    if (keyword === 'enum' || (keyword === 'type' && worst.get(key)?.keyword !== 'enum')) {
      worst.set(key, error);
    }
  }
  return violations.filter((error) => (worst.get(keyOf(error)) ?? error) === error);
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
