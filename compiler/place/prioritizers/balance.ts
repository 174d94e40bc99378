import type { ClusterIndices } from '../cluster-index.ts';
import type { Crowding } from '../earlier-decisions.ts';

/**
 * Prefers clusters that few other decisions name: 100 for those that none does, -100 for the most crowded ones. As OCM's
 * balance plugin, which truncates before it doubles, so that scores are even and 2 of 5 gives 18.
 */
export function balanceScores(clusters: ClusterIndices, { counts, highest }: Crowding): Float64Array {
  const byCount = new Map<number, number>();
  return Float64Array.from(clusters, (cluster) => {
    const count = counts[cluster] ?? 0;
    if (count === 0) return 100;
    const known = byCount.get(count) ?? 2 * Math.trunc(100 * (0.5 - count / highest));
    byCount.set(count, known);
    return known;
  });
}
