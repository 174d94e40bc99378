import { isJsonMap } from '../../base/json/json-map.ts';
import type { Claims } from './shard-claims.ts';

/** The annotation of the Lease in which replicas announce their claims. */
export const replicasAnnotation = 'fleetwright.dev/replicas';

/** A sign of life of a replica. */
export interface Beat extends Claims {
  /** Changes with each renewal. */
  readonly count: number;
}

/** Reads the beats by the identity of their replica. What cannot be read is no replica: it writes itself again. */
export function beatsIn(annotation: string | undefined): ReadonlyMap<string, Beat> {
  const beats = new Map<string, Beat>();
  let value: unknown;
  try {
    value = JSON.parse(annotation ?? '{}');
  } catch {
    return beats;
  }
  if (!isJsonMap(value)) return beats;
  for (const [id, beat] of Object.entries(value)) {
    if (!isJsonMap(beat)) continue;
    const { count, leads, waitsFor } = beat;
    if (typeof count === 'number' && isNumbers(leads) && isNumbers(waitsFor))
      beats.set(id, { count, leads, waitsFor });
  }
  return beats;
}

export function writtenBeats(beats: ReadonlyMap<string, Beat>): string {
  return JSON.stringify(Object.fromEntries(beats));
}

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'number');
}
