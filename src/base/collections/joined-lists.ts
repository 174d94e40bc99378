import { getOrInsertComputed } from './get-or-insert.ts';

const partsOfLists = new WeakMap<readonly unknown[], readonly (readonly unknown[])[]>();

const nothing: readonly never[] = [];

/**
 * Puts lists together to one, which remembers them as its parts. A process that answers again and again puts together mostly lists of
 * its earlier answers, such as a fleet with thousands of objects: what depends on one part alone is kept as long as the part exists, see
 * `oncePerPart`. Neither the lists nor the result may be changed afterwards.
 *
 * @param shortest - the length of lists that are worth keeping something for. Shorter neighbors become one part
 */
export function joined<T>(lists: readonly (readonly T[])[], shortest = 1): readonly T[] {
  const parts: (readonly T[])[] = [];
  let short: (readonly T[])[] = [];
  const endShort = (): void => {
    const [only] = short;
    if (only !== undefined) parts.push(short.length === 1 ? only : short.flat());
    short = [];
  };
  for (const list of lists)
    for (const part of partsOf(list))
      if (part.length >= shortest) {
        endShort();
        parts.push(part);
      } else if (part.length > 0) short.push(part);
  endShort();
  const [first = nothing] = parts;
  if (parts.length < 2) return first;
  const list = parts.flat() as readonly T[];
  partsOfLists.set(list, parts);
  return list;
}

/** Returns the lists of which a list was put together; the list itself if it was not. */
export function partsOf<T>(list: readonly T[]): readonly (readonly T[])[] {
  return (partsOfLists.get(list) as readonly (readonly T[])[] | undefined) ?? [list];
}

/**
 * Returns a function that computes the items of each part of a list once, and keeps them as long as the part exists. The items must
 * depend on nothing but the part, and the items of a list must be those of its parts, one after the other.
 */
export function oncePerPart<T, Item>(
  itemsOf: (part: readonly T[]) => readonly Item[],
): (list: readonly T[]) => readonly Item[] {
  const kept = new WeakMap<readonly T[], readonly Item[]>();
  return (list) => joined(partsOf(list).map((part) => getOrInsertComputed(kept, part, itemsOf)));
}
