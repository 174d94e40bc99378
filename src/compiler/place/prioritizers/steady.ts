import type { ClusterIndices } from '../cluster-index.ts';

/** Prefers the clusters that the placement already has: 100 for them, 0 for all others. As OCM's steady plugin. */
export function steadyScores(
  clusters: ClusterIndices,
  isSelected: (cluster: number) => boolean,
): Float64Array {
  const scores = new Float64Array(clusters.length);
  for (let position = 0; position < clusters.length; position++) {
    if (isSelected(clusters[position] ?? 0)) scores[position] = 100;
  }
  return scores;
}
