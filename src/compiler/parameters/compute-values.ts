import type { FieldPath } from '../model/field-path.ts';
import { checkValue, converted } from './check-value.ts';
import { longestVariable, variableText } from './declaration.ts';
import type { FindingCode, FindingDetails } from './evaluation-findings.ts';
import { computed, MissingFact, type Fact } from './expression.ts';
import type { MergedLayers } from './merge.ts';
import type { Layer, Parameter, ParameterSet, ParameterValues } from './model.ts';

/** Computes the values of one cluster; undefined if one of them cannot be computed. */
export function valuesOn(
  { parameters }: ParameterSet,
  merged: MergedLayers,
  factOf: (fact: Fact) => unknown,
  report: (code: FindingCode, layer: Layer, path: FieldPath, details: FindingDetails) => void,
): ParameterValues | undefined {
  const values = new Map<string, unknown>();
  /** The parameters whose value is reported as missing. */
  const failed = new Set<string>();
  const pending: string[] = [];
  let isComplete = true;
  const fail = (code: FindingCode, path: FieldPath, details: FindingDetails): void => {
    isComplete = false;
    const decided = merged.decidedBy(path);
    if (decided !== undefined) report(code, decided.layer, decided.path, details);
  };

  function valueOf(name: string): unknown {
    if (values.has(name) || failed.has(name)) return values.get(name);
    const start = pending.indexOf(name);
    if (start >= 0) throw new CyclicParameters([...pending.slice(start), name]);
    const parameter = parameters.get(name);
    if (parameter === undefined) return undefined;
    pending.push(name);
    try {
      const raw = merged.values[name];
      const value = computed(raw, (fact) => (fact.of === 'parameters' ? valueOf(fact.key) : factOf(fact)));
      const inType = converted(value, parameter.schema);
      values.set(name, inType);
      return inType;
    } finally {
      pending.pop();
    }
  }

  for (const [name, parameter] of parameters) {
    try {
      const value = valueOf(name);
      if (value !== undefined) checkResult(parameter, value, fail);
    } catch (error) {
      if (error instanceof MissingFact && failed.has(error.fact.key)) isComplete = false;
      else if (error instanceof MissingFact)
        fail('FW4106', [name], {
          message: `${error.fact.text} has no value`,
          hint: 'set a default: { $fact: …, $default: … } or ${…:-default} in a text',
        });
      else if (error instanceof CyclicParameters) {
        fail('FW4107', [name], { message: `parameters depend on each other: ${error.names.join(' → ')}` });
        for (const each of error.names) failed.add(each);
      } else throw error;
      failed.add(name);
    }
  }
  if (!isComplete) return undefined;
  const present = [...parameters.keys()].flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { values: Object.fromEntries(present), layers: merged.layers, traces: merged.traces };
}

function checkResult(
  { name, schema, target }: Parameter,
  value: unknown,
  fail: (code: FindingCode, path: FieldPath, details: FindingDetails) => void,
): void {
  for (const { code, path, message, hint } of checkValue(value, schema, name))
    fail(code, [name, ...path], { message, hint });
  const length = target.kind === 'field' ? 0 : variableText(value).length;
  if (length > longestVariable)
    fail('FW4108', [name], {
      message: `the value of ${name} has ${length} characters, but the hub accepts at most ${longestVariable} in a customized variable`,
      hint: 'shorten the value, or deliver it in a configuration of another kind',
    });
}

class CyclicParameters {
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    this.names = names;
  }
}
