import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import type { FieldPath } from '../model/field-path.ts';
import { didYouMean } from '../model/suggestion.ts';
import { checkLayerValue } from './check-value.ts';
import { expressionOf, factsIn, withNulls } from './expression.ts';
import type { Parameter } from './model.ts';
import type { ReportFault } from './report-fault.ts';

/** Returns the valid values of a layer. The others are reported. */
export function validValues(
  values: JsonMap,
  path: FieldPath,
  parameters: ReadonlyMap<string, Parameter>,
  report: ReportFault,
): JsonMap {
  const valid: [string, unknown][] = [];
  for (const [name, written] of Object.entries(values)) {
    const value = withNulls(written);
    const at = [...path, name];
    const parameter = parameters.get(name);
    if (parameter === undefined) {
      const hint = didYouMean(name, parameters.keys(), 'the parameters are');
      report('FW4101', at, `the add-on has no parameter "${name}"`, hint);
      continue;
    }
    const wrong = value === null ? [] : checkLayerValue(value, parameter.schema, name);
    for (const { code, path: below, message, hint } of wrong) report(code, [...at, ...below], message, hint);
    const expressions = checkExpressions(value, at, parameters, report);
    if (wrong.length === 0 && expressions) valid.push([name, value]);
  }
  return Object.fromEntries(valid);
}

/** Whether all expressions in a value are valid. */
function checkExpressions(
  value: unknown,
  path: FieldPath,
  parameters: ReadonlyMap<string, Parameter>,
  report: ReportFault,
): boolean {
  const expression = expressionOf(value);
  if (expression !== undefined && 'fault' in expression) {
    report('FW4114', path, expression.fault, expression.hint);
    return false;
  }
  if (expression !== undefined) {
    const unknown = factsIn(value).find(({ of, key }) => of === 'parameters' && !parameters.has(key));
    if (unknown === undefined) return true;
    const hint = didYouMean(unknown.key, parameters.keys(), 'the parameters are');
    report('FW4101', path, `the add-on has no parameter "${unknown.key}"`, hint);
    return false;
  }
  const entries = isJsonList(value) ? [...value.entries()] : isJsonMap(value) ? Object.entries(value) : [];
  return entries
    .map(([key, item]) => checkExpressions(item, [...path, key], parameters, report))
    .every(Boolean);
}
