/** A JSON object that is not validated yet. */
export type JsonMap = Readonly<Record<string, unknown>>;

export function isJsonMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Returns the own property of an object: inherited ones such as `constructor` are no fields. */
export function ownField<T>(object: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Returns the name of a value's type in JSON, as Go's decoder and the API server's validation use it. */
export function jsonType(value: unknown): 'null' | 'string' | 'number' | 'boolean' | 'list' | 'object' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'number' || typeof value === 'bigint' ? 'number' : 'object';
}
