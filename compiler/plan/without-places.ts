/** Where something is written says nothing of what happens: a comment above it must not void an approval. */
const placeFields = new Set(['location', 'side']);

/** A part of a plan without where its causes are written. */
export function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => !placeFields.has(field))
      .map(([field, inner]) => [field, withoutPlaces(inner)]),
  );
}
