import { compareUtf8 } from '../../encoding/go-json.ts';
import type { ManagedClusterV1 } from '../../schemas/types.gen.ts';
import type { Resolution } from '../resolve.ts';
import { effects, type Effect } from './change.ts';

/** How far a change reaches into the clusters that have something in common. Each cluster counts once. */
export interface Reach {
  /** `cluster set`, or a label's key. */
  readonly by: string;
  /** The set, or the label's value; empty for the clusters without. */
  readonly value: string;
  /** Clusters in either state. */
  readonly clusters: number;
  /** Clusters of which any add-on is uninstalled, installed, changed or rolled out again. */
  readonly reached: number;
  /** Clusters by effect; one cluster can count for several. */
  readonly effects: Readonly<Record<Effect, number>>;
}

/** What `reach` counts by when it is no label. */
export const byClusterSet = 'cluster set';

/** What happens on one cluster: one bit for each effect. */
export type EffectMarks = ReadonlyMap<string, number>;

/** The bit of an effect. */
export function markOf(effect: Effect): number {
  return 1 << effects.indexOf(effect);
}

/** Whether a cluster counts as reached: it has to do something. */
export function isReached(marks: number): boolean {
  return (marks & ~markOf('moved')) !== 0;
}

/** What is counted of one cluster: where it belongs, and what happens to it. */
export interface CountedCluster {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly sets: readonly string[];
}

/** The clusters of both states, each as in the head, or as it was where it is gone. */
export function countedClusters(base: Resolution, head: Resolution): CountedCluster[] {
  const counted: CountedCluster[] = [];
  for (const [name, cluster] of head.decisions.clusters) counted.push(count(name, cluster, head.decisions));
  for (const [name, cluster] of base.decisions.clusters)
    if (!head.decisions.clusters.has(name)) counted.push(count(name, cluster, base.decisions));
  return counted;
}

function count(
  name: string,
  { metadata }: ManagedClusterV1,
  { hub }: Resolution['decisions'],
): CountedCluster {
  const number = hub.index.indexOf(name);
  return { name, labels: metadata.labels ?? {}, sets: number === undefined ? [] : hub.sets.of(number) };
}

/** Counts by cluster set, then by each of the labels; values sorted. */
export function reachOf(
  clusters: readonly CountedCluster[],
  marks: EffectMarks,
  labels: readonly string[],
): Reach[] {
  return [
    ...rows(byClusterSet, clusters, marks, ({ sets }) => (sets.length === 0 ? [''] : sets)),
    ...labels.flatMap((label) => rows(label, clusters, marks, (cluster) => [cluster.labels[label] ?? ''])),
  ];
}

function rows(
  by: string,
  clusters: readonly CountedCluster[],
  marks: EffectMarks,
  valuesOf: (cluster: CountedCluster) => readonly string[],
): Reach[] {
  const values = new Map<
    string,
    Reach & { clusters: number; reached: number; effects: Record<Effect, number> }
  >();
  for (const cluster of clusters) {
    const mark = marks.get(cluster.name) ?? 0;
    for (const value of valuesOf(cluster)) {
      const row = values.get(value) ?? { by, value, clusters: 0, reached: 0, effects: noEffects() };
      values.set(value, row);
      row.clusters += 1;
      if (isReached(mark)) row.reached += 1;
      for (const effect of effects) if ((mark & markOf(effect)) !== 0) row.effects[effect] += 1;
    }
  }
  return [...values.values()].sort((a, b) => compareUtf8(a.value, b.value));
}

/** No cluster of any effect. */
export function noEffects(): Record<Effect, number> {
  return { uninstalled: 0, installed: 0, changed: 0, rerolled: 0, moved: 0 };
}
