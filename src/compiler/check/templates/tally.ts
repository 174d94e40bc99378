import { oncePerPart } from '../../../base/collections/joined-lists.ts';
import { oncePer } from '../../../base/collections/once-per.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';

/** One finding that applies to some clusters. */
export interface Tallied {
  /** Equal keys are reported once. */
  readonly key: string;
  readonly clusters: number;
  /** Returns the finding, given the number of clusters that it applies to. */
  readonly tell: (clusters: number) => Diagnostic;
}

/** Returns every finding once, for all its clusters, in the order of the first occurrence. */
export function* tally(findings: Iterable<Tallied>): Iterable<Diagnostic> {
  for (const { clusters, tell } of merged(findings)) yield tell(clusters);
}

/**
 * Returns a function that tallies the findings about the items of a list. Those about a part of the list, such as the render groups of one
 * add-on, are kept as long as the part exists, see `partsOf`. They must depend on nothing but the item.
 */
export function talliedPerPart<T extends object>(
  findingsAbout: (item: T) => Iterable<Tallied>,
): (items: readonly T[]) => Iterable<Diagnostic> {
  const perItem = oncePer(findingsAbout);
  const perPart = oncePerPart((part: readonly T[]) => merged(part.flatMap(perItem)));
  return (items) => tally(perPart(items));
}

/** Returns findings with equal keys as one. */
export function merged(findings: Iterable<Tallied>): readonly Tallied[] {
  const byKey = new Map<string, Tallied & { clusters: number }>();
  for (const finding of findings) {
    const same = byKey.get(finding.key);
    if (same === undefined) byKey.set(finding.key, { ...finding });
    else same.clusters += finding.clusters;
  }
  return [...byKey.values()];
}
