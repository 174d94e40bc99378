/** A JSON object of which nothing is known yet. */
export type JsonMap = Readonly<Record<string, unknown>>;

export function isJsonMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** The own property of an object: `constructor` and its like are no fields. */
export function ownField<T>(object: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** What JSON calls the type of a value, as Go's decoder and the API server's validation do. */
export function jsonType(value: unknown): 'null' | 'string' | 'number' | 'boolean' | 'list' | 'object' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'number' || typeof value === 'bigint' ? 'number' : 'object';
}
