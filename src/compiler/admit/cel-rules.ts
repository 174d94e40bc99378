import { celEnv, isCelError, parse, plan, type CelInput } from '@bufbuild/cel';
import type { StructuralSchema, ValidationRule } from '../../../schemas/index.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { Fault } from './fault.ts';
import { fieldSchema } from './field-schema.ts';
import { isJsonList, isJsonMap } from '../../base/json/json-map.ts';
import { subtreeTest } from './subtree.ts';

type Program = (bindings: { self: CelInput }) => unknown;

const environment = celEnv();
const programs = new Map<string, Program>();

const hasRules = subtreeTest((schema) => (schema['x-kubernetes-validations'] ?? []).length > 0);

/**
 * Returns the schema rules (`x-kubernetes-validations`) that a value violates. Only for values that are otherwise valid: as
 * customresource hasBlockingErr, the API server does not evaluate rules on invalid values.
 */
export function brokenRules(value: unknown, schema: StructuralSchema, path: FieldPath = []): Fault[] {
  if (!hasRules(schema) || value === null || value === undefined) return [];
  const faults = (schema['x-kubernetes-validations'] ?? []).flatMap((rule) =>
    evaluate(rule, value, schema, path),
  );
  if (isJsonList(value)) {
    const { items } = schema;
    if (items === undefined || !hasRules(items)) return faults;
    return [...faults, ...value.flatMap((item, index) => brokenRules(item, items, [...path, index]))];
  }
  if (!isJsonMap(value)) return faults;
  const below = Object.keys(value).flatMap((key) => {
    const field = fieldSchema(schema, key);
    return field === undefined ? [] : brokenRules(value[key], field, [...path, key]);
  });
  return [...faults, ...below];
}

function evaluate(rule: ValidationRule, value: unknown, schema: StructuralSchema, path: FieldPath): Fault[] {
  // a transition rule compares with an earlier state, which a new object does not have
  if (/\boldSelf\b/.test(rule.rule)) return [];
  const result = run(rule.rule, toCel(value, schema));
  if (result === true) return [];
  if (result === false) {
    const hint = `the schema asks for ${rule.rule}`;
    return [{ code: 'FW2014', field: path, message: rule.message ?? 'a rule of the schema is broken', hint }];
  }
  const reason = result instanceof Error ? result.message : 'it does not return a boolean';
  return [{ code: 'FW2015', field: path, message: `the rule ${rule.rule} cannot be evaluated: ${reason}` }];
}

function run(rule: string, self: CelInput): unknown {
  let program = programs.get(rule);
  if (program === undefined) {
    program = plan(environment, parse(rule));
    programs.set(rule, program);
  }
  const result = program({ self });
  return isCelError(result) ? new Error(result.message) : result;
}

/** Returns a value with the CEL types of its schema: an integer there is an `int`, not a `double`. */
function toCel(value: unknown, schema: StructuralSchema | undefined): CelInput {
  if (isJsonList(value)) return value.map((item) => toCel(item, schema?.items));
  if (isJsonMap(value)) {
    return new Map(Object.entries(value).map(([key, item]) => [key, toCel(item, fieldSchema(schema, key))]));
  }
  if (typeof value === 'number' && Number.isInteger(value) && schema?.type !== 'number') return BigInt(value);
  return value as CelInput;
}
