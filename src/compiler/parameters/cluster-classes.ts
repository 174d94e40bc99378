import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { SchedulerIndex } from '../place/scheduler-index.ts';
import type { SelectorFault } from '../place/label-selector.ts';
import type { Layer, LayerCondition } from './model.ts';

/** Clusters to which the same layers apply. */
export interface ClusterClass {
  readonly layers: readonly Layer[];
  /** Indices into the clusters of the scheduler index. */
  readonly clusters: readonly number[];
}

/** Matches the conditions of layers. Equal conditions of all add-ons are matched once. */
export class ConditionMatcher {
  readonly #scheduler: SchedulerIndex;
  readonly #matches = new Map<string, Uint8Array | SelectorFault>();

  constructor(scheduler: SchedulerIndex) {
    this.#scheduler = scheduler;
  }

  /** Returns a flag per cluster of the index; a fault if a selector is invalid. */
  matches(condition: LayerCondition): Uint8Array | SelectorFault {
    return getOrInsertComputed(this.#matches, JSON.stringify(condition), () => this.#match(condition));
  }

  #match({ labels, claims, sets }: LayerCondition): Uint8Array | SelectorFault {
    const { selectors, index, sets: clusterSets } = this.#scheduler;
    const byLabel = selectors.labels(labels);
    if ('error' in byLabel) return byLabel;
    const byClaim = selectors.claims(claims);
    if ('error' in byClaim) return byClaim;
    const members = sets && clusterSets.union(sets);
    if (members !== undefined && 'error' in members) return members;
    const isMember = members && new Set(members);
    const flags = new Uint8Array(index.size);
    for (let cluster = 0; cluster < flags.length; cluster++)
      if (byLabel.matches(cluster) && byClaim.matches(cluster) && isMember?.has(cluster) !== false)
        flags[cluster] = 1;
    return flags;
  }
}

/**
 * Groups clusters by the layers that apply to them. The time grows with the clusters that layers distinguish, not with clusters
 * times layers.
 *
 * @param clustersOf - returns the clusters of a layer; undefined if it applies to all
 */
export function clusterClasses(
  layers: readonly Layer[],
  clusters: readonly number[],
  clustersOf: (layer: Layer) => Iterable<number> | undefined,
): readonly ClusterClass[] {
  // The number of the class by cluster; -1 for clusters without the add-on.
  const classOf = new Int32Array(clusters.reduce((size, cluster) => Math.max(size, cluster + 1), 0)).fill(-1);
  for (const cluster of clusters) classOf[cluster] = 0;
  const layersOf: (readonly Layer[])[] = [[]];
  for (const layer of layers) {
    const selected = clustersOf(layer);
    if (selected === undefined) {
      for (const [index, before] of layersOf.entries()) layersOf[index] = [...before, layer];
      continue;
    }
    const refined = new Map<number, number>();
    for (const cluster of selected) {
      const before = classOf[cluster] ?? -1;
      if (before < 0) continue;
      const after = getOrInsertComputed(
        refined,
        before,
        () => layersOf.push([...(layersOf[before] ?? []), layer]) - 1,
      );
      classOf[cluster] = after;
    }
  }
  const members = new Map<number, number[]>();
  for (const cluster of clusters) getOrInsertComputed(members, classOf[cluster] ?? 0, () => []).push(cluster);
  return [...members].map(([number, inClass]) => ({ layers: layersOf[number] ?? [], clusters: inClass }));
}
