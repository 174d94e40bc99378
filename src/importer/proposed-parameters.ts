import { groupBy } from '../base/collections/groups.ts';
import { goJson } from '../base/json/go-json.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../base/json/json-map.ts';
import type { LevelScope } from './constructs/config-levels.ts';

/** The variables and fields that a configuration sets. */
export interface Settings {
  readonly variables: ReadonlyMap<string, string>;
  readonly fields: ReadonlyMap<string, unknown>;
}

/** A level and its settings. Undefined if it names no configuration. */
export interface LevelValues {
  readonly scope: LevelScope;
  readonly settings: Settings | undefined;
}

/** A variable or field with the name of its parameter. */
interface Target {
  readonly parameter: string;
  readonly valueIn: (settings: Settings | undefined) => unknown;
  readonly declaration: JsonMap;
  /** Returns the value of a layer, given that of a configuration. */
  readonly written: (value: unknown, isReplacement: boolean) => unknown;
}

/**
 * Returns parameters and layers with which each cluster has the values of its level. On the hub, a level replaces the whole
 * configuration of a weaker one, and layers merge: so a stronger layer also sets what a weaker one has changed.
 *
 * @param isComplete - whether all clusters that no placement selects have a configuration
 * @returns `spec` of an AddOnParameters
 */
export function proposedParameters({
  levels,
  isComplete,
}: {
  readonly levels: readonly LevelValues[];
  readonly isComplete: boolean;
}): JsonMap {
  const [standard, ...others] = levels;
  const targets = targetsOf(levels);
  const everyone = others.length > 0 && isComplete && others.every(({ settings }) => settings !== undefined);
  const sources = standard?.settings === undefined ? (everyone ? others : []) : [standard];
  const base = new Map<Target, unknown>();
  for (const target of targets) {
    const value = mostFrequent(sources.map(({ settings }) => target.valueIn(settings)));
    if (value !== undefined) base.set(target, value);
  }
  const changedByPlacements = new Set<Target>();
  const layers: JsonMap[] = [];
  if (base.size > 0) layers.push({ values: valuesOf([...base.keys()], (target) => base.get(target), false) });
  for (const { scope, settings } of others) {
    const effective = (target: Target): unknown =>
      settings === undefined ? base.get(target) : target.valueIn(settings);
    const set = targets.filter(
      (target) => changedByPlacements.has(target) || !isSame(effective(target), base.get(target)),
    );
    if (set.length === 0) continue;
    if (scope.kind === 'placement') for (const target of set) changedByPlacements.add(target);
    layers.push({ ...scopeOf(scope), values: valuesOf(set, effective, true) });
  }
  return {
    parameters: Object.fromEntries(targets.map(({ parameter, declaration }) => [parameter, declaration])),
    ...(layers.length > 0 && { layers }),
  };
}

/** Returns the first of the values that most levels have. */
function mostFrequent(values: readonly unknown[]): unknown {
  const equal = groupBy(values, (value) => (value === undefined ? '' : goJson(value)));
  const [largest] = [...equal.values()].sort((a, b) => b.length - a.length);
  return largest?.[0];
}

function valuesOf(
  targets: readonly Target[],
  valueOf: (target: Target) => unknown,
  isReplacement: boolean,
): JsonMap {
  return Object.fromEntries(
    targets.map((target) => {
      const value = valueOf(target);
      return [target.parameter, value === undefined ? null : target.written(value, isReplacement)];
    }),
  );
}

function scopeOf(scope: LevelScope): JsonMap {
  if (scope.kind === 'placement') return { placement: scope.placement };
  return scope.kind === 'cluster' ? { cluster: scope.cluster } : {};
}

function targetsOf(levels: readonly LevelValues[]): readonly Target[] {
  const settings = levels.flatMap((level) => level.settings ?? []);
  const variables = new Map<string, string[]>();
  const fields = new Map<string, unknown>();
  for (const { variables: set, fields: setFields } of settings) {
    for (const [name, value] of set) variables.set(name, [...(variables.get(name) ?? []), value]);
    for (const [name, value] of setFields) fields.set(name, value);
  }
  return [
    ...Array.from(variables, ([name, values]): Target => {
      const type = typeOf(values);
      return {
        parameter: name,
        valueIn: (of) => of?.variables.get(name),
        declaration: { type },
        written: (value) => (type === 'string' ? value : JSON.parse(value as string)),
      };
    }),
    ...Array.from(fields, ([field, value]): Target => {
      const type = isJsonList(value) ? 'list' : isJsonMap(value) ? 'object' : 'string';
      return {
        parameter: variables.has(field) ? `${field}Field` : field,
        valueIn: (of) => of?.fields.get(field),
        declaration: { type, field },
        // Objects of several layers would be merged.
        written: (each, isReplacement) => (type === 'object' && isReplacement ? { $replace: each } : each),
      };
    }),
  ];
}

/** Returns the type of a variable: one whose values have the same text again. */
function typeOf(values: readonly string[]): 'integer' | 'boolean' | 'string' {
  if (values.every((value) => value === 'true' || value === 'false')) return 'boolean';
  const isInteger = (value: string): boolean =>
    /^-?\d+$/.test(value) && Number.isSafeInteger(Number(value)) && String(Number(value)) === value;
  return values.every(isInteger) ? 'integer' : 'string';
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return a === b;
  return goJson(a) === goJson(b);
}
