import type { ClusterIndices } from '../cluster-index.ts';
import type { Crowding } from '../earlier-decisions.ts';

/**
 * Prefers clusters that few other decisions name: 100 for clusters without decisions, -100 for those with the most. As OCM's
 * balance plugin, which truncates before it doubles, so that scores are even and 2 of 5 results in 18.
 */
export function balanceScores(clusters: ClusterIndices, { counts, highest }: Crowding): Float64Array {
  const scores = new Float64Array(clusters.length);
  for (let position = 0; position < clusters.length; position++) {
    const count = counts[clusters[position] ?? 0] ?? 0;
    scores[position] = count === 0 ? 100 : 2 * Math.trunc(100 * (0.5 - count / highest));
  }
  return scores;
}
