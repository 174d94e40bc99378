import { Integer, type Value, type ValueMap } from './value.ts';

/**
 * Returns plain data as a template's value: every number is a float64, as Go's decoders return it, except `bigint`, which is
 * an int64. Keys such as `constructor` or `__proto__` are keys like all others. Each call makes a new value, because templates
 * can change maps.
 */
export function toValue(data: unknown): Value {
  if (data === undefined || data === null) return null;
  if (typeof data === 'boolean' || typeof data === 'number' || typeof data === 'string') return data;
  if (typeof data === 'bigint') return new Integer(data, 'int64');
  if (typeof data !== 'object') throw new TypeError(`templates have no ${typeof data}`);
  if (Array.isArray(data)) return data.map(toValue);
  return mapOf(data instanceof Map ? (data as ReadonlyMap<string, unknown>) : Object.entries(data));
}

function mapOf(entries: Iterable<readonly [string, unknown]>): ValueMap {
  const map: ValueMap = new Map();
  for (const [key, value] of entries) if (value !== undefined) map.set(key, toValue(value));
  return map;
}
