import { createHash } from 'node:crypto';
import { goJson } from '../../encoding/go-json.ts';
import type { Plan } from './plan.ts';

/** Where something is written says nothing of what happens: a comment above it must not void an approval. */
const placeFields = new Set(['location', 'side']);

/** The hash by which a plan is approved: of its content in canonical JSON, places left out. */
export function planHash({ fleet, addOns, placements }: Omit<Plan, 'hash'>): string {
  return createHash('sha256')
    .update(goJson(withoutPlaces({ fleet, addOns, placements })))
    .digest('hex');
}

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
