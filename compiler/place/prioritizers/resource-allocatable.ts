import type { ManagedClusterV1 } from '../../../schemas/types.gen.ts';
import { approximateFloat, parseQuantity } from '../../syntax/quantity.ts';
import type { ClusterIndex, ClusterIndices } from '../cluster-index.ts';

/** The key of a resource in `status.allocatable`. */
export type ResourceKey = 'cpu' | 'memory';

/** What every cluster can allocate of a resource, by index; NaN where it does not say. */
export type AllocatableAmounts = (resource: ResourceKey) => Float64Array;

/** Reads quantities once a resource, and only when a placement asks for it. */
export function allocatableAmounts({ clusters }: ClusterIndex): AllocatableAmounts {
  const known = new Map<ResourceKey, Float64Array>();
  return (resource) => {
    const amounts =
      known.get(resource) ?? Float64Array.from(clusters, (cluster) => amountOf(cluster, resource));
    known.set(resource, amounts);
    return amounts;
  };
}

/**
 * Prefers clusters that can allocate more: from -100 for the least to 100 for the most of the clusters compared. As OCM's
 * resource plugin: NaN, for no score, where a cluster says nothing; 100 for all where they are equal.
 */
export function resourceScores(clusters: ClusterIndices, amounts: Float64Array): Float64Array {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const cluster of clusters) {
    const amount = amounts[cluster] ?? NaN;
    if (amount < lowest) lowest = amount;
    if (amount > highest) highest = amount;
  }
  const scores = new Float64Array(clusters.length);
  for (let position = 0; position < clusters.length; position++) {
    const amount = amounts[clusters[position] ?? 0] ?? NaN;
    scores[position] = scoreOf(amount, lowest, highest);
  }
  return scores;
}

function scoreOf(amount: number, lowest: number, highest: number): number {
  if (Number.isNaN(amount)) return NaN;
  if (highest - lowest === 0) return 100;
  return Math.trunc(((amount - lowest) / (highest - lowest) - 0.5) * 2 * 100);
}

/** Both allocatable and capacity have to be there, though only the first counts. */
function amountOf({ status }: ManagedClusterV1, resource: ResourceKey): number {
  const allocatable = status?.allocatable?.[resource];
  if (allocatable === undefined || status?.capacity?.[resource] === undefined) return NaN;
  const { quantity } = parseQuantity(String(allocatable));
  return quantity === undefined ? NaN : approximateFloat(quantity);
}
