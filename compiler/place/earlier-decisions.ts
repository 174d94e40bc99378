import type { PlacementDecisionV1beta1 } from '../../schemas/types.gen.ts';
import { objectKey } from '../inventory.ts';
import type { ClusterIndex } from './cluster-index.ts';

/** The label of a PlacementDecision that names its Placement. */
export const placementLabel = 'cluster.open-cluster-management.io/placement';

/** How often other decisions name each cluster. */
export interface Crowding {
  /** By cluster index. */
  readonly counts: Int32Array;
  /** The highest count, of clusters that are no candidates and of names without a cluster too. */
  readonly highest: number;
}

/** The PlacementDecisions that a hub holds before a placement is scheduled; what is written counts for the next. */
export interface EarlierDecisions {
  /** The clusters that the decisions of a placement (`namespace/name`) name. */
  of(placement: string): Int32Array;
  /** As of all decisions except those of one placement. */
  crowding(except: string): Crowding;
  /** Replaces the decisions of a placement. */
  write(placement: string, clusters: Int32Array): void;
}

const nobody = new Int32Array(0);

/**
 * As OCM's plugins read decisions: a decision belongs to the placement of its namespace that its label names, whoever
 * owns it; one without the label counts for the balance of all.
 */
export function earlierDecisions(
  index: ClusterIndex,
  objects: Iterable<PlacementDecisionV1beta1>,
): EarlierDecisions {
  const strangers = new Map<string, number>();
  const lists = new Map<string, number[]>();
  const everyEntry: number[] = [];
  for (const { metadata, status } of objects) {
    const owner = metadata.labels?.[placementLabel];
    const key = owner === undefined ? undefined : objectKey(metadata.namespace, owner);
    const own = key === undefined ? undefined : (lists.get(key) ?? []);
    if (key !== undefined && own !== undefined) lists.set(key, own);
    for (const { clusterName } of status?.decisions ?? []) {
      const cluster = numberOf(clusterName);
      everyEntry.push(cluster);
      own?.push(cluster);
    }
  }

  const entries = new Map<string, Int32Array>();
  for (const [key, list] of lists) entries.set(key, Int32Array.from(list));
  const totals = new Int32Array(index.size + strangers.size);
  for (const cluster of everyEntry) count(cluster, 1);

  function numberOf(name: string): number {
    const known = index.indexOf(name) ?? strangers.get(name);
    if (known !== undefined) return known;
    const number = index.size + strangers.size;
    strangers.set(name, number);
    return number;
  }

  function count(cluster: number, by: number): void {
    totals[cluster] = (totals[cluster] ?? 0) + by;
  }

  return {
    of: (placement) => entries.get(placement) ?? nobody,
    crowding: (except) => {
      const counts = totals.slice();
      for (const cluster of entries.get(except) ?? nobody) counts[cluster] = (counts[cluster] ?? 0) - 1;
      let highest = 0;
      for (const times of counts) if (times > highest) highest = times;
      return { counts, highest };
    },
    write: (placement, clusters) => {
      for (const cluster of entries.get(placement) ?? nobody) count(cluster, -1);
      for (const cluster of clusters) count(cluster, 1);
      entries.set(placement, clusters);
    },
  };
}
