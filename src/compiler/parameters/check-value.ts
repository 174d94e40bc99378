import type { StructuralSchema } from '../../../schemas/index.ts';
import { isJsonList, isJsonMap } from '../../base/json/json-map.ts';
import { approximateFloat, parseQuantity } from '../../base/quantity.ts';
import { SchemaCheck, type SchemaViolation } from '../admit/schema/schema-check.ts';
import { toFault } from '../admit/schema/schema-fault.ts';
import type { FieldPath } from '../model/field-path.ts';
import { didYouMean } from '../model/suggestion.ts';
import { expressionOf, operatorOf, textOf } from './expression.ts';

/** A value that a schema does not allow. */
export interface ValueFault {
  readonly code: 'FW4102' | 'FW4103';
  /** In the value, as written. */
  readonly path: FieldPath;
  readonly message: string;
  readonly hint?: string;
}

/** Checks a value without expressions and instructions. */
export function checkValue(value: unknown, schema: StructuralSchema, name: string): ValueFault[] {
  const violations: SchemaViolation[] = [];
  new SchemaCheck(schema).run(value, [name], violations);
  return [...violations.flatMap(asFault), ...unknownKeys(value, schema, [name])].map(
    ({ path, ...fault }) => ({
      ...fault,
      path: path.slice(1),
    }),
  );
}

/**
 * Checks the parts of a layer's value that do not depend on the cluster. A layer may set a part of an object, so missing fields
 * are no faults.
 */
export function checkLayerValue(value: unknown, schema: StructuralSchema, name: string): ValueFault[] {
  const violations: SchemaViolation[] = [];
  const plain = withoutInstructions(value);
  new SchemaCheck(schema).run(plain, [name], violations);
  const faults = violations.flatMap((violation) =>
    violation.keyword === 'required' || violation.keyword === 'minItems' || expressionOf(violation.data)
      ? []
      : asFault(violation),
  );
  return [...faults, ...unknownKeys(plain, schema, [name])].map(({ path, ...fault }) => ({
    ...fault,
    path: writtenPath(value, path.slice(1)),
  }));
}

function asFault(violation: SchemaViolation): ValueFault[] {
  const fault = toFault(violation);
  if (fault === undefined) return [];
  const { keyword } = violation;
  const { message, hint } = fault;
  const code = keyword === 'type' || keyword === 'format' ? 'FW4102' : 'FW4103';
  return [{ code, path: fault.at ?? fault.field, message, ...(hint !== undefined && { hint }) }];
}

/** Returns faults for the keys that closed objects do not have. */
function unknownKeys(value: unknown, schema: StructuralSchema | undefined, path: FieldPath): ValueFault[] {
  if (schema === undefined || expressionOf(value) !== undefined) return [];
  if (isJsonList(value))
    return value.flatMap((item, index) => unknownKeys(item, schema.items, [...path, index]));
  if (!isJsonMap(value)) return [];
  const { properties = {}, additionalProperties } = schema;
  return Object.entries(value).flatMap(([key, item]): ValueFault[] => {
    const below = [...path, key];
    if (Object.hasOwn(properties, key)) return unknownKeys(item, properties[key], below);
    if (additionalProperties !== false) return unknownKeys(item, additionalProperties, below);
    const hint = didYouMean(key, Object.keys(properties), 'the fields are');
    const message = `unknown field "${key}"`;
    return [{ code: 'FW4103', path: below, message, ...(hint !== undefined && { hint }) }];
  });
}

function withoutInstructions(value: unknown): unknown {
  if (isJsonList(value)) return value.map(withoutInstructions);
  if (!isJsonMap(value) || expressionOf(value) !== undefined) return value;
  const operator = operatorOf(value);
  if (operator !== undefined) return withoutInstructions(value[operator]);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === null ? [] : [[key, withoutInstructions(item)]])),
  );
}

/** Returns the path in a value as written, with its instructions. */
function writtenPath(value: unknown, path: FieldPath): FieldPath {
  const written: (string | number)[] = [];
  let at = value;
  const enter = (): void => {
    const operator = isJsonMap(at) && expressionOf(at) === undefined ? operatorOf(at) : undefined;
    if (operator === undefined || !isJsonMap(at)) return;
    written.push(operator);
    at = at[operator];
  };
  enter();
  for (const step of path) {
    written.push(step);
    at = isJsonMap(at) || isJsonList(at) ? (at as Readonly<Record<string, unknown>>)[step] : undefined;
    enter();
  }
  return written;
}

const numberSyntax = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/**
 * Returns a computed value in the type of its schema: facts are texts, and become numbers or booleans where the schema requires
 * these. A quantity such as `16Gi` becomes its number. Values that cannot be converted are unchanged.
 */
export function converted(value: unknown, schema: StructuralSchema | undefined): unknown {
  if (schema === undefined) return value;
  if (isJsonList(value)) return value.map((item) => converted(item, schema.items));
  if (isJsonMap(value)) {
    const rest = schema.additionalProperties === false ? undefined : schema.additionalProperties;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, converted(item, schema.properties?.[key] ?? rest)]),
    );
  }
  const { type } = schema;
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return textOf(value);
  if (typeof value !== 'string') return value;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  if (type !== 'integer' && type !== 'number') return value;
  if (numberSyntax.test(value)) return Number(value);
  const { quantity } = parseQuantity(value);
  return quantity === undefined ? value : approximateFloat(quantity);
}
