import {
  GoObject,
  TypedList,
  TypedMap,
  toValue,
  type Value,
  type ValueMap,
} from '../../../engines/gotemplate/index.ts';

/** A field of a Go struct. An undefined `json` leaves the field out of JSON, as `omitempty` does. */
interface StructField {
  readonly name: string;
  readonly value: Value;
  readonly json?: readonly [name: string, value: Value] | undefined;
}

/** Returns a struct whose fields templates use by their Go names, and whose JSON has other names. */
export function goStruct(type: string, fields: readonly StructField[]): GoObject {
  return new GoObject(type, {
    fields: new Map(fields.map(({ name, value }) => [name, value])),
    content: new Map(fields.flatMap(({ json }) => (json === undefined ? [] : [json]))),
  });
}

/** Returns a `map[string]string`. */
export function stringMap(entries: Readonly<Record<string, string>> | undefined): TypedMap {
  return new TypedMap('map[string]string', toValue(entries ?? {}) as ValueMap, 'string', {
    isNil: entries === undefined,
  });
}

/** Returns values as they are after a round trip through JSON: maps, lists and plain values only. */
export function plainValue(value: Value): Value {
  if (value instanceof GoObject) return plainValue(value.content as ValueMap);
  if (value instanceof TypedList) return value.isNil ? null : value.items.map(plainValue);
  if (value instanceof TypedMap) return value.isNil ? null : plainMap(value.entries);
  if (Array.isArray(value)) return value.map(plainValue);
  return value instanceof Map ? plainMap(value) : value;
}

function plainMap(entries: ValueMap): ValueMap {
  return new Map([...entries].map(([key, value]) => [key, plainValue(value)]));
}
