import type { ClusterIndices } from '../cluster-index.ts';

/** Prefers the clusters that the placement has already: 100 for them, 0 for all others. As OCM's steady plugin. */
export function steadyScores(
  clusters: ClusterIndices,
  isSelected: (cluster: number) => boolean,
): Float64Array {
  return Float64Array.from(clusters, (cluster) => (isSelected(cluster) ? 100 : 0));
}
