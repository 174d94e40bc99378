/** Fields with locations. They do not affect the outcome: a new comment above an object must not invalidate an approval. */
const locationFields = new Set(['location', 'side']);

/** Returns a part of a plan without the locations of its causes. */
export function withoutLocations(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLocations);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => !locationFields.has(field))
      .map(([field, inner]) => [field, withoutLocations(inner)]),
  );
}
