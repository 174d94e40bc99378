/**
 * Returns the JSON of a value for a message: as JSON.stringify, which throws for the integers that are `bigint` here. Inside
 * maps and lists these are strings.
 */
export function messageJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  return (
    JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? ''
  );
}
