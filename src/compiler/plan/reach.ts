import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { compareUtf8 } from '../../base/json/go-json.ts';
import type { ManagedClusterV1 } from '../../../schemas/types.gen.ts';
import type { Resolution } from '../resolve.ts';
import { effects, type Effect } from '../compare/change.ts';

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
  /** The different ones: nearly all clusters are the same in all states. */
  readonly states: readonly CountedState[];
}

interface CountedState {
  readonly cluster: ManagedClusterV1;
  readonly sets: readonly string[];
}

/**
 * Returns the clusters of both states of all apps. A cluster counts for every set and label that it has in either state: a change
 * that removes a label reaches the clusters that had it.
 */
export function countedClusters(
  apps: readonly { readonly base: Resolution; readonly head: Resolution }[],
): readonly CountedCluster[] {
  const [only, ...others] = withDifferentFleets(apps.flatMap(({ head, base }) => [head, base]));
  if (only !== undefined && others.length === 0)
    return getOrInsertComputed(countedOnce, only.decisions, () => countedIn([only]));
  return countedIn(only === undefined ? [] : [only, ...others]);
}

const countedOnce = new WeakMap<Resolution['decisions'], readonly CountedCluster[]>();

function countedIn(resolutions: readonly Resolution[]): readonly CountedCluster[] {
  const counted = new Map<string, CountedState[]>();
  for (const { decisions } of resolutions) {
    const { index, sets } = decisions.scheduler;
    for (const [name, cluster] of decisions.clusters) {
      const number = index.indexOf(name);
      const state = { cluster, sets: number === undefined ? [] : sets.of(number) };
      const states = counted.get(name);
      if (states === undefined) counted.set(name, [state]);
      else if (!states.some((other) => isSame(other, state))) states.push(state);
    }
  }
  return Array.from(counted, ([name, states]) => ({ name, states }));
}

/** Returns the first of all states that have the same clusters in the same sets. */
function withDifferentFleets(states: readonly Resolution[]): readonly Resolution[] {
  return states.filter(({ inventory, decisions }, index) =>
    states
      .slice(0, index)
      .every(
        (other) =>
          other.decisions.clusters !== decisions.clusters ||
          other.inventory.managedClusterSets !== inventory.managedClusterSets,
      ),
  );
}

function isSame(one: CountedState, other: CountedState): boolean {
  return (
    one.cluster === other.cluster &&
    one.sets.length === other.sets.length &&
    one.sets.every((set, index) => set === other.sets[index])
  );
}

/** Counts by cluster set, then by each of the labels. Values are sorted. */
export function reachOf(
  clusters: readonly CountedCluster[],
  marks: EffectMarks,
  labels: readonly string[],
): Reach[] {
  return [
    ...rows(byClusterSet, clusters, marks, ({ sets }) => (sets.length === 0 ? '' : sets)),
    ...labels.flatMap((label) =>
      rows(label, clusters, marks, ({ cluster }) => cluster.metadata.labels?.[label] ?? ''),
    ),
  ];
}

function rows(
  by: string,
  clusters: readonly CountedCluster[],
  marks: EffectMarks,
  valuesOf: (state: CountedState) => string | readonly string[],
): Reach[] {
  const { valuesOn, clustersWith } = getOrInsertComputed(
    getOrInsertComputed(valuesOfFleets, clusters, () => new Map<string, FleetValues>()),
    by,
    () => fleetValues(clusters, valuesOf),
  );
  // The number of clusters per value and mark: there are few of both.
  const counts = new Map<string, number[]>();
  for (const [value, number] of clustersWith) {
    const byMark = Array<number>(1 << effects.length).fill(0);
    byMark[0] = number;
    counts.set(value, byMark);
  }
  for (const [name, mark] of marks)
    for (const value of valuesOn.get(name) ?? []) {
      const byMark = counts.get(value) ?? [];
      byMark[0] = (byMark[0] ?? 0) - 1;
      byMark[mark] = (byMark[mark] ?? 0) + 1;
    }
  return Array.from(counts, ([value, byMark]) => rowOf(by, value, byMark)).sort((a, b) =>
    compareUtf8(a.value, b.value),
  );
}

/** The values of clusters by which they are counted. */
interface FleetValues {
  readonly valuesOn: ReadonlyMap<string, readonly string[]>;
  readonly clustersWith: ReadonlyMap<string, number>;
}

/** By `by`, as long as the list of clusters exists: plans of one fleet count by the same labels. */
const valuesOfFleets = new WeakMap<readonly CountedCluster[], Map<string, FleetValues>>();

function fleetValues(
  clusters: readonly CountedCluster[],
  valuesOf: (state: CountedState) => string | readonly string[],
): FleetValues {
  const valuesOn = new Map<string, readonly string[]>();
  const clustersWith = new Map<string, number>();
  const single = new Map<string, readonly string[]>();
  const listOf = (values: string | readonly string[]): readonly string[] =>
    typeof values === 'string' ? getOrInsertComputed(single, values, () => [values]) : values;
  for (const { name, states } of clusters) {
    const [first] = states;
    const values =
      first && states.length === 1 ? listOf(valuesOf(first)) : [...new Set(states.flatMap(valuesOf))];
    valuesOn.set(name, values);
    for (const value of values) clustersWith.set(value, (clustersWith.get(value) ?? 0) + 1);
  }
  return { valuesOn, clustersWith };
}

/** @param byMark - the number of clusters, by their effects */
function rowOf(by: string, value: string, byMark: readonly number[]): Reach {
  const row = { by, value, clusters: 0, reached: 0, effects: noEffects() };
  for (const [mark, clusters] of byMark.entries()) {
    row.clusters += clusters;
    if (isReached(mark)) row.reached += clusters;
    for (const effect of effects) if ((mark & markOf(effect)) !== 0) row.effects[effect] += clusters;
  }
  return row;
}

/** Returns a count of 0 for every effect. */
export function noEffects(): Record<Effect, number> {
  return { uninstalled: 0, installed: 0, changed: 0, rerolled: 0, moved: 0 };
}
