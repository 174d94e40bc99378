import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { ManagedClusterV1 } from '../../../../schemas/types.gen.ts';
import { approximateFloat, parseQuantity } from '../../../base/quantity.ts';
import type { ClusterIndex, ClusterIndices } from '../cluster-index.ts';

/** The key of a resource in `status.allocatable`. */
export type ResourceKey = 'cpu' | 'memory';

/** The allocatable amount of a resource for every cluster, by index; NaN if the cluster does not report it. */
export type AllocatableAmounts = (resource: ResourceKey) => Float64Array;

/** Reads quantities once per resource, and only if a placement uses the resource. */
export function allocatableAmounts({ clusters }: ClusterIndex): AllocatableAmounts {
  const cache = new Map<ResourceKey, Float64Array>();
  return (resource) => {
    return getOrInsertComputed(cache, resource, () =>
      Float64Array.from(clusters, (cluster) => amountOf(cluster, resource)),
    );
  };
}

/**
 * Prefers clusters with more allocatable resources: from -100 for the least to 100 for the most of the compared clusters. As
 * OCM's resource plugin: NaN, for no score, if a cluster does not report the resource; 100 for all if they are equal.
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

/** Both allocatable and capacity must be present, although only the first counts. */
function amountOf({ status }: ManagedClusterV1, resource: ResourceKey): number {
  const allocatable = status?.allocatable?.[resource];
  if (allocatable === undefined || status?.capacity?.[resource] === undefined) return NaN;
  const { quantity } = parseQuantity(String(allocatable));
  return quantity === undefined ? NaN : approximateFloat(quantity);
}
