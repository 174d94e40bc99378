import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { load } from '../../compiler/load/load.ts';
import type { Promotion } from './promotion.ts';

/**
 * Returns the numbers of the lines that have each entry of `spec.approved`: a release can be approved again. Entries whose line does not contain them as they are,
 * such as an alias of YAML, are left out: the author of their line is not the author of the entry.
 *
 * @param text - a valid promotion file
 */
export function approvedLines(text: string): ReadonlyMap<string, readonly number[]> {
  const [loaded] = load([{ file: '', text, source: 'app' }]).value;
  if (loaded === undefined) return new Map();
  const { spec } = loaded.object as Partial<Promotion>;
  const lines = text.split('\n');
  const linesOf = new Map<string, number[]>();
  for (const [index, entry] of (spec?.approved ?? []).entries()) {
    const location = loaded.origin.locate(['spec', 'approved', index]);
    if ('line' in location && (lines[location.line - 1] ?? '').includes(entry))
      getOrInsertComputed(linesOf, entry, () => []).push(location.line);
  }
  return linesOf;
}
