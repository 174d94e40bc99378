import { cel028 } from '../../../engines/cel/behaviour.ts';
import { compile } from '../../../engines/cel/compile.ts';
import { kubernetesEnvironment } from '../../../engines/cel/check/environment.ts';
import { CannotTell, CelError } from '../../../engines/cel/error.ts';
import { CostLimitExceeded, Run, type Compute } from '../../../engines/cel/run/evaluation.ts';
import { Source } from '../../../engines/cel/syntax/source.ts';
import { dynType } from '../../../engines/cel/check/types.ts';
import { CelList, CelObject, type CelValue } from '../../../engines/cel/values/value.ts';
import type { StructuralSchema, ValidationRule } from '../../../../schemas/index.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { Fault } from '../fault.ts';
import { fieldSchema } from './field-schema.ts';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { isJsonList, isJsonMap } from '../../../base/json/json-map.ts';
import { subtreeTest } from './subtree.ts';

const environment = kubernetesEnvironment(cel028, new Map([['self', dynType]]));
/** The cost at which the API server ends a rule: PerCallLimit of its CEL configuration. */
const costLimit = 1_000_000;
const programs = new Map<string, Compute | Error>();

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

function run(rule: string, self: CelValue): unknown {
  const program = getOrInsertComputed(programs, rule, () => compiled(rule));
  if (program instanceof Error) return program;
  try {
    const result = program(new Run(new Map([['self', self]]), {}, costLimit));
    return result instanceof CelError ? new Error(result.message) : result;
  } catch (error) {
    if (error instanceof CostLimitExceeded)
      return new Error('it costs more than the limit of the API server');
    if (error instanceof CannotTell) return error;
    throw error;
  }
}

function compiled(rule: string): Compute | Error {
  const compilation = compile(new Source(rule), environment, cel028);
  if (compilation.outcome === 'program') return compilation.compute;
  return new Error(
    compilation.outcome === 'faults'
      ? compilation.faults.map(({ message }) => message).join('; ')
      : compilation.message,
  );
}

/** Returns a value with the CEL types of its schema: an integer there is an `int`, not a `double`. */
function toCel(value: unknown, schema: StructuralSchema | undefined): CelValue {
  if (isJsonList(value)) return new CelList(value.map((item) => toCel(item, schema?.items)));
  if (isJsonMap(value)) {
    return new CelObject(
      () => new Map(Object.entries(value).map(([key, item]) => [key, toCel(item, fieldSchema(schema, key))])),
    );
  }
  if (typeof value === 'number' && Number.isInteger(value) && schema?.type !== 'number') return BigInt(value);
  return value as CelValue;
}
