import type { Value } from '../../gotemplate/index.ts';
import { isNumeric, isSameNumber, numberKey } from './json-number.ts';
import type { JsonType } from './schema.ts';
import type { SchemaJson } from './schema-json.ts';
import type { SchemaWork } from './schema-work.ts';

/** What a schema validates: values of a chart, or a schema. */
export type Instance = Value | SchemaJson;

/** Returns the type of a value of JSON; undefined for a value of Go that JSON does not have. */
export function typeOf(value: Instance): Exclude<JsonType, 'integer'> | undefined {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string') return 'string';
  if (isNumeric(value)) return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return value instanceof Map ? 'object' : undefined;
}

/** Whether a value equals one of a schema. */
export function equals(value: Instance, wanted: SchemaJson | undefined, work: SchemaWork): boolean {
  work.spend(1);
  if (value instanceof Map) {
    if (!(wanted instanceof Map) || wanted.size !== value.size) return false;
    return [...wanted].every(([name, inner]) => value.has(name) && equals(value.get(name), inner, work));
  }
  if (Array.isArray(value)) {
    if (!Array.isArray(wanted) || wanted.length !== value.length) return false;
    const items = wanted as readonly SchemaJson[];
    return (value as readonly Instance[]).every((item, index) => equals(item, items[index], work));
  }
  if (isNumeric(value)) return isNumeric(wanted) && isSameNumber(value, wanted);
  return (value ?? null) === wanted;
}

/** Returns the positions of the first item that equals an earlier one. */
export function equalItems(
  items: readonly Instance[],
  work: SchemaWork,
): readonly [earlier: number, later: number] | undefined {
  const positions = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const text = canonicalText(item, work);
    const earlier = positions.get(text);
    if (earlier !== undefined) return [earlier, index];
    positions.set(text, index);
  }
  return undefined;
}

/** Returns a text that is the same for equal values. */
function canonicalText(value: Instance, work: SchemaWork): string {
  work.spend(2);
  if (value instanceof Map) {
    const names = [...value.keys()].toSorted();
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(value.get(name), work)}`).join(',')}}`;
  }
  if (Array.isArray(value))
    return `[${(value as readonly Instance[]).map((item) => canonicalText(item, work)).join(',')}]`;
  const text = isNumeric(value) ? numberKey(value) : JSON.stringify(value ?? null);
  work.spend(text.length >> 4);
  return text;
}
