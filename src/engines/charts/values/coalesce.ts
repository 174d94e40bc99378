import { formatValue, printFormat, type Value, type ValueMap } from '../../gotemplate/index.ts';
import { ChartError } from '../chart-fault.ts';
import type { ChartNode } from '../chart.ts';

const globalKey = 'global';

/** Receives what Helm logs as a warning. */
export type Warn = (message: string) => void;

/**
 * Returns the values of a chart and its dependencies: what `values` sets wins over the values of the charts, maps merge, lists and
 * scalars replace, and null deletes. As Helm's chartutil.CoalesceValues.
 *
 * @param values - is not changed
 * @throws {ChartError} if the values of a subchart are no map
 */
export function coalesceValues(chart: ChartNode, values: ValueMap, warn: Warn): ValueMap {
  return coalesce(chart, copiedMap(values), '', false, warn);
}

/**
 * Returns the values of a chart and its dependencies as `coalesceValues`, except that null stays, so that a later merge deletes the
 * value. As Helm's chartutil.MergeValues.
 *
 * @throws {ChartError} if the values of a subchart are no map
 */
export function mergedValues(chart: ChartNode, warn: Warn): ValueMap {
  return coalesce(chart, new Map(), '', true, warn);
}

function coalesce(
  chart: ChartNode,
  values: ValueMap,
  prefix: string,
  keepsNull: boolean,
  warn: Warn,
): ValueMap {
  coalesceOwn(chart, values, prefix, keepsNull, warn);
  for (const subchart of chart.dependencies) {
    const { name } = subchart;
    if (!values.has(name)) values.set(name, new Map());
    const inner = values.get(name);
    if (!(inner instanceof Map))
      throw new ChartError({
        code: 'FW6025',
        message: printFormat('type mismatch on %s: %t', [name, inner]),
        value: name,
      });
    const subPrefix = joined(prefix, chart.name);
    coalesceGlobals(inner, values, subPrefix, warn);
    coalesce(subchart, inner, subPrefix, keepsNull, warn);
  }
  return values;
}

function coalesceGlobals(target: ValueMap, source: ValueMap, prefix: string, warn: Warn): void {
  const targetGlobal = target.has(globalKey) ? target.get(globalKey) : new Map<string, Value>();
  const sourceGlobal = source.has(globalKey) ? source.get(globalKey) : new Map<string, Value>();
  if (!(targetGlobal instanceof Map)) {
    warn('skipping globals because destination global is not a table.');
    return;
  }
  if (!(sourceGlobal instanceof Map)) {
    warn('skipping globals because source global is not a table.');
    return;
  }
  for (const [key, value] of sourceGlobal) {
    const existing = targetGlobal.get(key);
    if (value instanceof Map) {
      // What the parent sets wins, so that the parent's map is the target of the merge.
      const merged = new Map(value);
      if (existing instanceof Map) mergeTables(merged, existing, joined(prefix, key), true, warn);
      else if (targetGlobal.has(key)) {
        warn(`Conflict: cannot merge map onto non-map for "${key}". Skipping.`);
        continue;
      }
      targetGlobal.set(key, merged);
    } else if (existing instanceof Map) warn(`key ${key} is table. Skipping`);
    else targetGlobal.set(key, value);
  }
  target.set(globalKey, targetGlobal);
}

function coalesceOwn(
  chart: ChartNode,
  values: ValueMap,
  prefix: string,
  keepsNull: boolean,
  warn: Warn,
): void {
  const path = joined(prefix, chart.name);
  for (const [key, value] of chart.values ?? []) {
    if (!values.has(key)) {
      values.set(key, copied(value));
      continue;
    }
    const existing = values.get(key);
    if (existing === null) {
      if (!keepsNull) values.delete(key);
    } else if (existing instanceof Map) {
      if (value instanceof Map) {
        const isSubchart = chart.dependencies.some(({ name }) => name === key);
        mergeTables(existing, copiedMap(value), joined(path, key), isSubchart || keepsNull, warn);
      } else if (value !== null) warn(`skipped value for ${path}.${key}: Not a table.`);
    }
  }
}

/**
 * Adds the values of a map to another one, whose values win. As Helm's coalesceTablesFullKey.
 *
 * @param keepsNull - whether a null of the target stays, instead of deleting the value
 */
export function mergeTables(
  target: ValueMap,
  source: ValueMap,
  prefix: string,
  keepsNull: boolean,
  warn: Warn,
): ValueMap {
  for (const [key, value] of source) {
    const path = joined(prefix, key);
    const existing = target.get(key);
    if (!target.has(key)) target.set(key, value);
    else if (existing === null && !keepsNull) target.delete(key);
    else if (value instanceof Map) {
      if (existing instanceof Map) mergeTables(existing, value, path, keepsNull, warn);
      else warn(`cannot overwrite table with non table for ${path} (${formatValue(value)})`);
    } else if (existing instanceof Map && value !== null)
      warn(`destination for ${path} is a table. Ignoring non-table value (${formatValue(value)})`);
  }
  return target;
}

function joined(prefix: string, name: string): string {
  return prefix === '' ? name : `${prefix}.${name}`;
}

/** Returns a deep copy. */
export function copied(value: Value): Value {
  if (value instanceof Map) return copiedMap(value);
  return Array.isArray(value) ? (value as readonly Value[]).map(copied) : value;
}

export function copiedMap(map: ValueMap): ValueMap {
  const copy: ValueMap = new Map();
  for (const [key, value] of map) copy.set(key, copied(value));
  return copy;
}
