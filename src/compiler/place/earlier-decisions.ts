import type { PlacementDecisionV1beta1 } from '../../../schemas/types.gen.ts';
import { placementLabel } from '../../ocm/labels.ts';
import { objectKey } from '../model/inventory.ts';
import type { ClusterIndex } from './cluster-index.ts';

/** The number of other decisions that name each cluster. */
export interface Crowding {
  /** By cluster index. */
  readonly counts: Int32Array;
  /** The highest count, including clusters that are not candidates and names without a cluster. */
  readonly highest: number;
}

/** The PlacementDecisions on a hub before a placement is scheduled. */
export interface EarlierDecisions {
  /** Returns the clusters in the decisions of a placement (`namespace/name`). */
  of(placement: string): Int32Array;
  /** Returns the counts of all decisions except those of one placement. */
  crowding(except: string): Crowding;
}

/** The same while placements are decided: written decisions count for the next placement. */
export interface OpenDecisions extends EarlierDecisions {
  /** Replaces the decisions of a placement. */
  write(placement: string, clusters: Int32Array): void;
}

/** The decisions before placing starts. Several runs can start from the same ones. */
export interface DecisionsAtFirst extends EarlierDecisions {
  /** Starts a run. Its writes are only visible in the returned object. */
  open(): OpenDecisions;
}

const nobody = new Int32Array(0);

/**
 * Reads decisions as OCM's plugins do: a decision belongs to the placement in its namespace that its label names, regardless
 * of its owner. A decision without the label counts for the balance of all placements.
 */
export function earlierDecisions(
  index: ClusterIndex,
  objects: Iterable<PlacementDecisionV1beta1>,
): DecisionsAtFirst {
  const strangers = new Map<string, number>();
  const lists = new Map<string, number[]>();
  const everyEntry: number[] = [];
  for (const { metadata, status } of objects) {
    const owner = metadata.labels?.[placementLabel];
    const key = owner === undefined ? undefined : objectKey(metadata.namespace, owner);
    const decisions = key === undefined ? undefined : (lists.get(key) ?? []);
    if (key !== undefined && decisions !== undefined) lists.set(key, decisions);
    for (const { clusterName } of status?.decisions ?? []) {
      const cluster = numberOf(clusterName);
      everyEntry.push(cluster);
      decisions?.push(cluster);
    }
  }

  const entries = new Map<string, Int32Array>();
  for (const [key, list] of lists) entries.set(key, Int32Array.from(list));
  const totals = new Int32Array(index.size + strangers.size);
  for (const cluster of everyEntry) count(totals, cluster, 1);

  function numberOf(name: string): number {
    const position = index.indexOf(name) ?? strangers.get(name);
    if (position !== undefined) return position;
    const number = index.size + strangers.size;
    strangers.set(name, number);
    return number;
  }

  const of: EarlierDecisions['of'] = (placement) => entries.get(placement) ?? nobody;
  return {
    of,
    crowding: (except) => crowding(totals, of(except)),
    open: () => openDecisions(of, totals.slice()),
  };
}

/** Returns decisions that can be written. They own `totals`; `before` is shared and stays unchanged. */
function openDecisions(before: EarlierDecisions['of'], totals: Int32Array): OpenDecisions {
  const clustersByKey = new Map<string, Int32Array>();
  const of: EarlierDecisions['of'] = (placement) => clustersByKey.get(placement) ?? before(placement);
  return {
    of,
    crowding: (except) => crowding(totals, of(except)),
    write: (placement, clusters) => {
      for (const cluster of of(placement)) count(totals, cluster, -1);
      for (const cluster of clusters) count(totals, cluster, 1);
      clustersByKey.set(placement, clusters);
    },
  };
}

function crowding(totals: Int32Array, except: Int32Array): Crowding {
  const counts = totals.slice();
  for (const cluster of except) count(counts, cluster, -1);
  let highest = 0;
  for (const times of counts) if (times > highest) highest = times;
  return { counts, highest };
}

function count(totals: Int32Array, cluster: number, by: number): void {
  totals[cluster] = (totals[cluster] ?? 0) + by;
}
