import type { PlacementDecisionV1beta1 } from '../../schemas/types.gen.ts';
import { placementLabel } from '../api/labels.ts';
import { objectKey } from '../inventory.ts';
import type { ClusterIndex } from './cluster-index.ts';

/** How often other decisions name each cluster. */
export interface Crowding {
  /** By cluster index. */
  readonly counts: Int32Array;
  /** The highest count, of clusters that are no candidates and of names without a cluster too. */
  readonly highest: number;
}

/** The PlacementDecisions that a hub holds before a placement is scheduled. */
export interface EarlierDecisions {
  /** The clusters that the decisions of a placement (`namespace/name`) name. */
  of(placement: string): Int32Array;
  /** As of all decisions except those of one placement. */
  crowding(except: string): Crowding;
}

/** The same while placements are decided: what is written counts for the next. */
export interface OpenDecisions extends EarlierDecisions {
  /** Replaces the decisions of a placement. */
  write(placement: string, clusters: Int32Array): void;
}

/** The decisions that were there when deciding began. Many can begin with the same ones. */
export interface DecisionsAtFirst extends EarlierDecisions {
  /** Begins to decide: what is written is seen there only. */
  open(): OpenDecisions;
}

const nobody = new Int32Array(0);

/**
 * As OCM's plugins read decisions: a decision belongs to the placement of its namespace that its label names, whoever
 * owns it; one without the label counts for the balance of all.
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
  for (const cluster of everyEntry) count(totals, cluster, 1);

  function numberOf(name: string): number {
    const known = index.indexOf(name) ?? strangers.get(name);
    if (known !== undefined) return known;
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

/** Written over what is shared: `totals` belongs to it, `before` stays as it is. */
function openDecisions(before: EarlierDecisions['of'], totals: Int32Array): OpenDecisions {
  const written = new Map<string, Int32Array>();
  const of: EarlierDecisions['of'] = (placement) => written.get(placement) ?? before(placement);
  return {
    of,
    crowding: (except) => crowding(totals, of(except)),
    write: (placement, clusters) => {
      for (const cluster of of(placement)) count(totals, cluster, -1);
      for (const cluster of clusters) count(totals, cluster, 1);
      written.set(placement, clusters);
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
