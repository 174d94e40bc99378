import {
  formatValue,
  Integer,
  listItems,
  mapEntries,
  sortedKeys,
  TypedList,
  TypedMap,
  toValue,
  type Value,
  type ValueMap,
} from '../../engines/gotemplate/index.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { isJsonMap } from '../../base/json/json-map.ts';
import { ControllerPanic, GenerationError } from './generation-error.ts';

/** The parameters of one Application, as Go holds them. Without Go templates, only texts are replaced. */
export type Parameters = ValueMap;

/** Returns a `map[string]string`. */
export function textMap(entries: Iterable<readonly [string, string]>): TypedMap {
  return new TypedMap('map[string]string', new Map(entries), 'string');
}

const keys = new WeakMap<Parameters, string>();

/** Returns a text that only equal parameters have, or an empty one for values that no text shows. */
export function keyOfParameters(parameters: Parameters): string {
  return getOrInsertComputed(keys, parameters, () => keyOfEntries(parameters) ?? '');
}

function keyOfEntries(parameters: Parameters): string | undefined {
  let key = '=';
  for (const [name, value] of parameters) {
    const part = keyOf(value);
    if (part === undefined) return undefined;
    key += `${name.length}:${name}${part}`;
  }
  return key;
}

function keyOf(value: Value): string | undefined {
  if (typeof value === 'string') return `"${value.length}:${value}`;
  if (value instanceof Map || value instanceof TypedMap) {
    const entries = keyOfEntries(value instanceof Map ? value : value.entries);
    const type = value instanceof Map ? '' : value.type;
    return entries === undefined ? undefined : `{${type}${entries}}`;
  }
  const items = listItems(value)?.map(keyOf);
  if (items !== undefined)
    return items.includes(undefined)
      ? undefined
      : `[${value instanceof TypedList ? value.type : ''}${items.join('')}]`;
  if (typeof value === 'number') return `#${Object.is(value, -0) ? '-0' : value};`;
  return typeof value === 'boolean' || value === null ? `${value};` : undefined;
}

/** Returns the parameters with all nested maps and lists as one level of texts: `metadata.labels.ring`, `items.0`. */
export function flattened(parameters: Parameters): Readonly<Record<string, string>> {
  const entries: (readonly [string, string])[] = [];
  const add = (key: string, value: Value): void => {
    const map = mapEntries(value);
    if (map !== undefined) for (const [each, inner] of map) add(`${key}.${each}`, inner);
    // A list of another type, such as []string, is one value.
    else if (Array.isArray(value))
      for (const [index, item] of (value as readonly Value[]).entries()) add(`${key}.${index}`, item);
    else entries.push([key, formatValue(value)]);
  };
  for (const [key, value] of parameters) add(key, value);
  return Object.fromEntries(entries);
}

/**
 * Combines the parameters of both generators of a matrix without Go templates: as texts, which must be equal where both have one.
 *
 * @throws {GenerationError} if they are not
 */
export function combined(first: Parameters, second: Parameters): Parameters {
  const result: Parameters = new Map();
  for (const [key, value] of first) result.set(key, formatValue(value));
  for (const [key, value] of second) {
    const text = formatValue(value);
    const present = result.get(key);
    if (present !== undefined && present !== text)
      throw new GenerationError(
        `found duplicate key ${key} with different value, a: ${formatValue(present)} ,b: ${text}`,
      );
    result.set(key, text);
  }
  return result;
}

/**
 * Returns the parameters with those that override them, map by map. Lists are replaced. As mergo with WithOverride.
 *
 * @throws {GenerationError} where a map of texts receives a value of another map, which ends the controller's pass with a panic
 */
export function overridden(base: Parameters, override: Parameters): Parameters {
  return mergedEntries(base, override, { intoTexts: false, fromTexts: false });
}

function mergedEntries(
  base: ValueMap,
  override: ValueMap,
  { intoTexts, fromTexts }: { readonly intoTexts: boolean; readonly fromTexts: boolean },
): ValueMap {
  if (intoTexts && !fromTexts && override.size > 0)
    throw new ControllerPanic('a map of texts cannot be merged with a map of values: Argo CD panics');
  const result = new Map(base);
  for (const [key, value] of override) {
    const present = result.get(key);
    const [into, from] = [mapEntries(present), mapEntries(value)];
    if (into === undefined || from === undefined || into.size === 0) {
      // An empty map receives the entries, and keeps its type.
      const isEmptyText = into?.size === 0 && from !== undefined && from.size > 0 && isTextMap(present);
      if (isEmptyText && !isTextMap(value))
        throw new ControllerPanic('a map of texts cannot be merged with a map of values: Argo CD panics');
      result.set(key, value);
      continue;
    }
    const entries = mergedEntries(into, from, { intoTexts: isTextMap(present), fromTexts: isTextMap(value) });
    result.set(key, isTextMap(present) ? new TypedMap('map[string]string', entries, 'string') : entries);
  }
  return result;
}

function isTextMap(value: Value): boolean {
  return value instanceof TypedMap && value.elementType === 'string';
}

/** Returns JSON as parameters. Every number is a float64. */
export function parametersOf(value: unknown): Parameters | undefined {
  return isJsonMap(value) ? (toValue(withNumbers(value)) as Parameters) : undefined;
}

function withNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withNumbers);
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withNumbers(each)]));
}

/** Returns what encoding/json reads after it has written a value: plain data, with integers as numbers. */
export function plainData(value: Value): unknown {
  if (value === undefined || value === null) return null;
  if (value instanceof Integer) return Number(value.value);
  const items = listItems(value);
  if (items !== undefined) return items.map(plainData);
  const entries = mapEntries(value);
  if (entries === undefined) return value;
  return Object.fromEntries(sortedKeys(entries).map((key) => [key, plainData(entries.get(key))]));
}
