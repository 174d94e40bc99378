import { load } from '../load/load.ts';
import type { Promotion } from './promotion.ts';

/**
 * Returns the number of the line that has each entry of `spec.approved`. Entries whose line does not contain them as they are,
 * such as an alias of YAML, are left out: the author of their line is not the author of the entry.
 *
 * @param text - a valid promotion file
 */
export function approvedLines(text: string): ReadonlyMap<string, number> {
  const [loaded] = load([{ file: '', text, source: 'app' }]).value;
  if (loaded === undefined) return new Map();
  const { spec } = loaded.object as Partial<Promotion>;
  const lines = text.split('\n');
  const lineOf = new Map<string, number>();
  for (const [index, entry] of (spec?.approved ?? []).entries()) {
    const location = loaded.origin.locate(['spec', 'approved', index]);
    if ('line' in location && lines[location.line - 1]?.includes(entry) === true)
      lineOf.set(entry, location.line);
  }
  return lineOf;
}
