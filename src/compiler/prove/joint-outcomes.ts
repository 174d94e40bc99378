import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { AddOnOutcomes, InstalledAddOn } from './add-on-outcomes.ts';
import type { Bounds } from './bounds.ts';
import type { Diagrams } from './diagram.ts';

/** The number of combinations of uncertain results for one class of clusters, before nothing about it is certain. */
const mostCombinations = 256;

/**
 * Returns where a test on several add-ons together holds. It gets the installed ones by name.
 *
 * @param outcomes - what each add-on is on each class of clusters
 */
export function whereTogether(
  outcomes: ReadonlyMap<string, AddOnOutcomes>,
  diagrams: Diagrams,
  test: (addOns: ReadonlyMap<string, InstalledAddOn>) => boolean,
): Bounds {
  const classes: (readonly number[])[] = [[]];
  const numbers = new Map<string, number>([['', 0]]);
  let node = diagrams.constant(0);
  for (const each of outcomes.values())
    node = diagrams.combine(node, each.classes, (number, next) => {
      const combined = [...(classes[number] ?? []), next];
      return getOrInsertComputed(numbers, combined.join(), () => classes.push(combined) - 1);
    });
  const results = new Map<number, ReadonlySet<boolean>>();
  for (const number of diagrams.values(node))
    results.set(number, resultsOf(classes[number] ?? [], outcomes, test));
  const certain = diagrams.map(node, (number) => Number(results.get(number)?.has(false) === false));
  const possible = diagrams.map(node, (number) => Number(results.get(number)?.has(true) === true));
  const obstacles = Array.from(outcomes.values()).flatMap((each) => each.obstacles);
  return { certain, possible, obstacles: certain === possible ? [] : obstacles };
}

function resultsOf(
  classes: readonly number[],
  outcomes: ReadonlyMap<string, AddOnOutcomes>,
  test: (addOns: ReadonlyMap<string, InstalledAddOn>) => boolean,
): ReadonlySet<boolean> {
  let combinations: (readonly (readonly [string, InstalledAddOn])[])[] = [[]];
  for (const [index, [name, each]] of [...outcomes].entries()) {
    const possible = each.inClass(classes[index] ?? 0);
    if (possible === 'unknown' || combinations.length * possible.length > mostCombinations)
      return new Set([true, false]);
    combinations = combinations.flatMap((before) =>
      possible.map((addOn) => (addOn === undefined ? before : [...before, [name, addOn] as const])),
    );
  }
  return new Set(combinations.map((addOns) => test(new Map(addOns))));
}
