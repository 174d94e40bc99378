import { isJsonList, isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';

/** Fields whose content is one value for Argo CD. */
const wholeFields: ReadonlySet<string> = new Set(['valuesObject']);

/**
 * Returns the template of a generator, with the fields of the ApplicationSet's template that it does not set. As mergo.Merge: a
 * list is one value, and empty values count as absent.
 */
export function mergedTemplate(generator: unknown, applicationSet: JsonMap): JsonMap {
  return isJsonMap(generator) ? mergedMaps(generator, applicationSet) : applicationSet;
}

function mergedMaps(own: JsonMap, others: JsonMap): JsonMap {
  const merged = new Map(Object.entries(own));
  for (const [key, other] of Object.entries(others)) {
    const value = merged.get(key);
    if (isEmpty(value)) merged.set(key, other);
    else if (isJsonMap(value) && isJsonMap(other) && !wholeFields.has(key))
      merged.set(key, mergedMaps(value, other));
  }
  return Object.fromEntries(merged);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  if (isJsonList(value)) return value.length === 0;
  return isJsonMap(value) && Object.keys(value).length === 0;
}
