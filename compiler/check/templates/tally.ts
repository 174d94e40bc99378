import type { Diagnostic } from '../../diagnostic.ts';

/** One finding on some clusters. */
export interface Tallied {
  /** Equal for findings that are told once. */
  readonly key: string;
  readonly clusters: number;
  /** The finding, given the number of clusters that it is about. */
  readonly tell: (clusters: number) => Diagnostic;
}

/** Every finding once, for all the clusters that it is about, in the order in which they first came up. */
export function* tally(findings: Iterable<Tallied>): Iterable<Diagnostic> {
  const tallied = new Map<string, { clusters: number; tell: Tallied['tell'] }>();
  for (const { key, clusters, tell } of findings) {
    const known = tallied.get(key);
    if (known === undefined) tallied.set(key, { clusters, tell });
    else known.clusters += clusters;
  }
  for (const { clusters, tell } of tallied.values()) yield tell(clusters);
}
