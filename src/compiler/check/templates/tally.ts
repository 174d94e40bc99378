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
  const tallied = new Map<string, { clusters: number; tell: Tallied['tell'] }>();
  for (const { key, clusters, tell } of findings) {
    const entry = tallied.get(key);
    if (entry === undefined) tallied.set(key, { clusters, tell });
    else entry.clusters += clusters;
  }
  for (const { clusters, tell } of tallied.values()) yield tell(clusters);
}
