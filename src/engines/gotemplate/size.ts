import { TemplateLimitError } from './error.ts';
import { listItems, mapEntries } from './type-name.ts';
import { GoObject, TypedList, type Value } from './value.ts';

/** How many values a collection may hold, counted as often as it refers to them. */
const most = 1_000_000;
/** Bytes are read as one text, of which 256 count as a value. */
const bytesPerValue = 8;

/**
 * Checks the size of a value before something visits all of it: a few lists that hold each other several times are
 * exponentially large, and a dictionary inside itself has no end.
 *
 * @returns the number of values
 * @throws {TemplateLimitError} beyond the bound
 */
export function checkSize(value: Value): number {
  const waiting: Value[] = [value];
  let count = 0;
  for (let next = waiting.pop(); waiting.length > 0 || next !== undefined; next = waiting.pop()) {
    count += 1;
    if (count + waiting.length > most)
      throw new TemplateLimitError(`a value holds more than ${String(most)} others, or itself`);
    if (typeof next !== 'object' || next === null) continue;
    if (next instanceof TypedList && next.bytes !== undefined) {
      count += next.bytes.length >> bytesPerValue;
      continue;
    }
    const inner =
      listItems(next) ?? mapEntries(next)?.values() ?? (next instanceof GoObject ? next.fields.values() : []);
    for (const each of inner) waiting.push(each ?? null);
  }
  return count;
}
