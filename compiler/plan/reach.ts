import { addToGroup } from '../../collections/groups.ts';
import { getOrInsertComputed } from '../../collections/get-or-insert.ts';
import { compareUtf8 } from '../../kubernetes/go/json.ts';
import type { ManagedClusterV1 } from '../../schemas/types.gen.ts';
import type { Resolution } from '../resolve.ts';
import { effects, type Effect } from './change.ts';

/** The number of clusters that a change reaches, among clusters that have something in common. Each cluster counts once. */
export interface Reach {
  /** `cluster set`, or a label's key. */
  readonly by: string;
  /** The cluster set or the label's value. Empty for the clusters without one. */
  readonly value: string;
  /** The number of clusters in either state. */
  readonly clusters: number;
  /** The number of clusters from which an add-on is uninstalled, or on which one is installed, changed or rolled out again. */
  readonly reached: number;
  /** The number of clusters per effect. One cluster can count for several effects. */
  readonly effects: Readonly<Record<Effect, number>>;
}

/** The value of `by` for cluster sets, which are not a label. */
export const byClusterSet = 'cluster set';

/** The effects per cluster: one bit per effect. */
export type EffectMarks = ReadonlyMap<string, number>;

/** Returns the bit of an effect. */
export function markOf(effect: Effect): number {
  return 1 << effects.indexOf(effect);
}

/** Returns whether a cluster counts as reached: any effect other than `moved` requires the cluster to act. */
export function isReached(marks: number): boolean {
  return (marks & ~markOf('moved')) !== 0;
}

/** The data by which one cluster is counted, from either state. */
export interface CountedCluster {
  readonly name: string;
  readonly states: readonly CountedState[];
}

interface CountedState {
  readonly labels: Readonly<Record<string, string>>;
  readonly sets: readonly string[];
}

/**
 * Returns the clusters of both states of all apps. A cluster counts for every set and label that it has in either state: a change
 * that removes a label reaches the clusters that had it.
 */
export function countedClusters(
  apps: readonly { readonly base: Resolution; readonly head: Resolution }[],
): CountedCluster[] {
  const counted = new Map<string, CountedState[]>();
  for (const { decisions } of apps.flatMap(({ head, base }) => [head, base])) {
    for (const [name, cluster] of decisions.clusters) {
      addToGroup(counted, name, stateOf(name, cluster, decisions));
    }
  }
  return Array.from(counted, ([name, states]) => ({ name, states }));
}

function stateOf(
  name: string,
  { metadata }: ManagedClusterV1,
  { scheduler: hub }: Resolution['decisions'],
): CountedState {
  const number = hub.index.indexOf(name);
  return { labels: metadata.labels ?? {}, sets: number === undefined ? [] : hub.sets.of(number) };
}

/** Counts by cluster set, then by each of the labels. Values are sorted. */
export function reachOf(
  clusters: readonly CountedCluster[],
  marks: EffectMarks,
  labels: readonly string[],
): Reach[] {
  return [
    ...rows(byClusterSet, clusters, marks, ({ sets }) => (sets.length === 0 ? [''] : sets)),
    ...labels.flatMap((label) => rows(label, clusters, marks, (state) => [state.labels[label] ?? ''])),
  ];
}

function rows(
  by: string,
  clusters: readonly CountedCluster[],
  marks: EffectMarks,
  valuesOf: (state: CountedState) => readonly string[],
): Reach[] {
  const values = new Map<
    string,
    Reach & { clusters: number; reached: number; effects: Record<Effect, number> }
  >();
  for (const cluster of clusters) {
    const mark = marks.get(cluster.name) ?? 0;
    for (const value of distinctValues(cluster.states, valuesOf)) {
      const row = getOrInsertComputed(values, value, () => ({
        by,
        value,
        clusters: 0,
        reached: 0,
        effects: noEffects(),
      }));
      row.clusters += 1;
      if (isReached(mark)) row.reached += 1;
      for (const effect of effects) if ((mark & markOf(effect)) !== 0) row.effects[effect] += 1;
    }
  }
  return [...values.values()].sort((a, b) => compareUtf8(a.value, b.value));
}

/** Returns the values in any of the states. Nearly all clusters have the same ones in all states. */
function distinctValues(
  states: readonly CountedState[],
  valuesOf: (state: CountedState) => readonly string[],
): Iterable<string> {
  const [first, ...others] = states.map(valuesOf);
  const isSame = others.every((values) => values.length === 1 && values[0] === first?.[0]);
  return first?.length === 1 && isSame ? first : new Set(states.flatMap(valuesOf));
}

/** Returns a count of 0 for every effect. */
export function noEffects(): Record<Effect, number> {
  return { uninstalled: 0, installed: 0, changed: 0, rerolled: 0, moved: 0 };
}
