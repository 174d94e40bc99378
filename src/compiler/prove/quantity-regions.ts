import {
  add,
  canonicalString,
  compareTo,
  parseQuantity,
  subtract,
  type Quantity,
} from '../../base/quantity.ts';
import type { TextRegions } from './text-regions.ts';

/**
 * Divides quantities into classes by some cut points: below the first, each of them, between two, above the last. A quantity that the
 * API server would refuse is in no class.
 */
export function quantityRegions(cutPoints: Iterable<string>): TextRegions {
  const points = distinct(Array.from(cutPoints).flatMap((text) => parsed(text)));
  const one = parsed('1');
  const examples: Quantity[] = [];
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    if (before === undefined) examples.push(...one.map((step) => subtract(point, step)));
    else examples.push(...between(before, point));
    examples.push(point);
  }
  const last = points.at(-1);
  if (last === undefined) examples.push(...one);
  else examples.push(...one.map((step) => add(last, step)));
  return {
    texts: examples.map(canonicalString),
    regionOf: (text) => {
      const [quantity] = parsed(text);
      if (quantity === undefined) return undefined;
      const position = examples.findIndex((example) => isSame(example, quantity, points));
      return position < 0 ? undefined : position;
    },
  };
}

/** Whether two quantities have the same position relative to all cut points. */
function isSame(one: Quantity, other: Quantity, points: readonly Quantity[]): boolean {
  return points.every((point) => compareTo(one, point) === compareTo(other, point));
}

function distinct(quantities: readonly Quantity[]): readonly Quantity[] {
  const sorted = [...quantities].sort(compareTo);
  return sorted.filter((each, index) => {
    const before = sorted[index - 1];
    return before === undefined || compareTo(before, each) !== 0;
  });
}

/** Returns the middle of two quantities; nothing if the API server would round it to one of them. */
function between(low: Quantity, high: Quantity): readonly Quantity[] {
  const { unscaled, exponent, decimal, format } = add(low, high);
  const half = { unscaled: unscaled * 5n, exponent: exponent - 1, decimal, format };
  const middle = parsed(canonicalString(half));
  return middle.filter((each) => compareTo(low, each) < 0 && compareTo(each, high) < 0);
}

function parsed(text: string): readonly Quantity[] {
  const { quantity } = parseQuantity(text);
  return quantity === undefined ? [] : [quantity];
}
