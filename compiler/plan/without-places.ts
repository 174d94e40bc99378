/** Fields with locations. They do not affect the outcome: a new comment above an object must not invalidate an approval. */
const placeFields = new Set(['location', 'side']);

/** Returns a part of a plan without the locations of its causes. */
export function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => !placeFields.has(field))
      .map(([field, inner]) => [field, withoutPlaces(inner)]),
  );
}
