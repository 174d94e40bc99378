import type { Value, ValueMap } from '../../../engines/gotemplate/index.ts';

/** Merges two maps of values: maps by key, everything else is replaced by the stronger one. As addon-framework MergeValues. */
export function mergeValues(weaker: ValueMap, stronger: ValueMap): ValueMap {
  const merged = new Map(weaker);
  for (const [key, value] of stronger) {
    const below = merged.get(key);
    merged.set(key, below instanceof Map && value instanceof Map ? mergeValues(below, value) : value);
  }
  return merged;
}

/** Returns the value at a path. */
export function valueAt(values: Value, path: readonly string[]): Value {
  let value = values;
  for (const key of path) {
    if (!(value instanceof Map)) return undefined;
    value = value.get(key);
  }
  return value;
}
