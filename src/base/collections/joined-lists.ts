import { getOrInsertComputed } from './get-or-insert.ts';
import { isSameList } from './remembered.ts';

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
    if (only !== undefined) parts.push(short.length === 1 ? only : concatenated(short));
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
  const list = concatenated(parts);
  partsOfLists.set(list, parts);
  return list;
}

/** How many lists are copied at a time: the number of arguments is limited. */
const copiedAtOnce = 1000;

/** Returns the items of all lists. flat looks at each item, and takes a hundred times as long for thousands. */
export function concatenated<T>(lists: readonly (readonly T[])[]): readonly T[] {
  if (lists.length <= copiedAtOnce) return ([] as readonly T[]).concat(...lists);
  const chunks: (readonly T[])[] = [];
  for (let start = 0; start < lists.length; start += copiedAtOnce)
    chunks.push(concatenated(lists.slice(start, start + copiedAtOnce)));
  return concatenated(chunks);
}

/** The number of items of a piece. Each piece costs a look-up per function that keeps something for it. */
const pieceLength = 128;

const pieces = new WeakMap<object, readonly object[]>();

/**
 * Divides a list into parts of which most are those of an earlier list, if an edit changed only a few items: a file can have thousands of
 * objects. The parts are the same lists, so that what was kept for them holds.
 */
export function inPieces<T extends object>(list: readonly T[]): readonly T[] {
  if (list.length <= pieceLength) return list;
  const parts: (readonly T[])[] = [];
  for (let start = 0; start < list.length; start += pieceLength)
    parts.push(earlierPiece(list.slice(start, start + pieceLength)));
  return joined(parts);
}

function earlierPiece<T extends object>(piece: readonly T[]): readonly T[] {
  const [first] = piece;
  if (first === undefined) return piece;
  const earlier = pieces.get(first);
  if (earlier !== undefined && isSameList(earlier, piece)) return earlier as readonly T[];
  pieces.set(first, piece);
  return piece;
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
