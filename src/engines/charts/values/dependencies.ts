import { formatValue, TypedMap, type Value, type ValueMap } from '../../gotemplate/index.ts';
import type { ChartDependency, ChartNode } from '../chart.ts';
import { satisfies } from '../functions/version-constraint.ts';
import { coalesceValues, copiedMap, mergedValues, mergeTables, type Warn } from './coalesce.ts';

/**
 * Applies Helm's rules for the dependencies of Chart.yaml: aliases, conditions, tags and imported values. As
 * chartutil.ProcessDependenciesWithMerge, which `helm install` calls, and Helm's engine does not. A null in the values of a chart stays, so
 * that it deletes a default of a subchart when the templates are rendered.
 *
 * @param chart - a copy of the tree, which changes
 */
export function processDependencies(chart: ChartNode, values: ValueMap, warn: Warn): void {
  processEnabled(chart, values, '', warn);
  importAllValues(chart, warn);
}

function processEnabled(chart: ChartNode, values: ValueMap, path: string, warn: Warn): void {
  const { dependencies } = chart.metadata;
  if (dependencies === undefined) return;
  const charts = chart.dependencies.filter(
    (existing) => !dependencies.some((each) => isFor(existing, each.name, each.version)),
  );
  for (const dependency of dependencies) {
    const renamed = aliasedChart(chart.dependencies, dependency);
    if (renamed !== undefined) charts.push(renamed);
    if (dependency.alias !== '') dependency.name = dependency.alias;
  }
  chart.setDependencies(charts);
  for (const dependency of dependencies) dependency.isEnabled = true;
  const merged = coalesceValues(chart, values, warn);
  applyTags(dependencies, merged, warn);
  applyConditions(dependencies, merged, path, warn);
  const disabled = new Set(dependencies.filter(({ isEnabled }) => !isEnabled).map(({ name }) => name));
  const enabled = charts.filter(({ name }) => !disabled.has(name));
  for (const each of enabled) processEnabled(each, merged, `${path}${each.name}.`, warn);
  const remaining = dependencies.filter(({ name }) => !disabled.has(name));
  chart.metadata.dependencies = remaining.length === 0 ? undefined : remaining;
  chart.setDependencies(enabled);
}

function isFor(chart: ChartNode, name: string, version: string): boolean {
  return chart.name === name && isCompatible(version, chart.metadata.version);
}

/** As chartutil.IsCompatibleRange: false for a range or version that is not valid. */
export function isCompatible(range: string, version: string): boolean {
  try {
    return satisfies(version, range);
  } catch {
    return false;
  }
}

function aliasedChart(
  charts: readonly ChartNode[],
  { name, version, alias }: ChartDependency,
): ChartNode | undefined {
  const chart = charts.find((each) => isFor(each, name, version));
  const copy = chart?.shallowCopy();
  if (copy !== undefined && alias !== '') copy.metadata.name = alias;
  return copy;
}

function applyTags(dependencies: readonly ChartDependency[], values: ValueMap, warn: Warn): void {
  const tags = tableAt(values, 'tags');
  if (tags === undefined) return;
  for (const dependency of dependencies) {
    const set: boolean[] = [];
    for (const tag of dependency.tags) {
      const value = tags.get(tag);
      if (typeof value === 'boolean') set.push(value);
      else if (tags.has(tag)) warn(`Tag '${tag}' for chart ${dependency.name} returned non-bool value`);
    }
    dependency.isEnabled = set.includes(true) || set.length === 0;
  }
}

function applyConditions(
  dependencies: readonly ChartDependency[],
  values: ValueMap,
  path: string,
  warn: Warn,
): void {
  for (const dependency of dependencies) {
    for (const condition of dependency.condition.trim().split(',')) {
      if (condition === '') continue;
      const value = scalarAt(values, path + condition);
      if (typeof value === 'boolean') {
        dependency.isEnabled = value;
        break;
      }
      if (value !== undefined)
        warn(`Condition path '${condition}' for chart ${dependency.name} returned non-bool value`);
    }
  }
}

/** Returns the map at a path such as `a.b`. As chartutil.Values.Table. */
export function tableAt(values: ValueMap, path: string): ValueMap | undefined {
  let table: Value = values;
  for (const name of path.split('.')) {
    if (!(table instanceof Map)) return undefined;
    table = table.get(name);
  }
  return table instanceof Map ? table : undefined;
}

/** Returns the value at a path if it exists and is no map. As chartutil.Values.PathValue. */
function scalarAt(values: ValueMap, path: string): Value {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const table = names.length === 0 ? values : tableAt(values, names.join('.'));
  const value = table?.get(last);
  return value instanceof Map ? undefined : value;
}

function importAllValues(chart: ChartNode, warn: Warn): void {
  for (const each of chart.dependencies) importAllValues(each, warn);
  importValues(chart, warn);
}

function importValues(chart: ChartNode, warn: Warn): void {
  const { dependencies } = chart.metadata;
  if (dependencies === undefined) return;
  const values = mergedValues(chart, warn);
  let imported: ValueMap = new Map();
  for (const dependency of dependencies) {
    const used: TypedMap[] = [];
    for (const item of dependency.importValues) {
      const from = importOf(item);
      if (from === undefined) continue;
      used.push(pairOf(from.child, from.parent));
      const table = tableAt(values, `${dependency.name}.${from.child}`);
      if (table === undefined) {
        warn(`ImportValues missing table ${from.child} from chart ${dependency.name}`);
        continue;
      }
      imported = mergeTables(imported, nested(from.parent, table), '', true, warn);
    }
    dependency.importValues = used;
  }
  // The copy keeps tables that were imported as they are in the values out of the merge.
  chart.values = mergeTables(copiedMap(values), imported, '', true, warn);
}

function importOf(item: Value): { readonly child: string; readonly parent: string } | undefined {
  if (typeof item === 'string') return { child: `exports.${item}`, parent: '.' };
  if (!(item instanceof Map)) return undefined;
  const text = (key: string): string => formatValue(item.get(key) ?? null);
  return { child: text('child'), parent: text('parent') };
}

function pairOf(child: string, parent: string): TypedMap {
  const entries = new Map([
    ['child', child],
    ['parent', parent],
  ]);
  return new TypedMap('map[string]string', entries, 'string');
}

/** Returns a map in the maps of a path. */
function nested(path: string, table: ValueMap): ValueMap {
  if (path === '.') return table;
  let result = table;
  for (const name of path.split('.').toReversed()) result = new Map([[name, result]]);
  return result;
}
