import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { groupBy } from '../../../base/collections/groups.ts';
import type { AddOnClusters } from '../../configure/add-on-clusters.ts';
import type { ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import { freshState, type ClusterState } from './cluster-state.ts';
import type { TrackedGroup } from '../decision-tracker.ts';
import type { RolloutGraph, StrategyNode } from '../graph.ts';
import { groupIndex } from '../queue/group-index.ts';
import { progressionOf, type Progression } from '../progression.ts';
import type { Rollout, SimulationOptions } from './simulate-rollout.ts';
import type { AddOnState } from './add-on-state.ts';
import { startClassesOf, type Start } from './starts.ts';
import { sizeOf } from '../strategy/strategy.ts';
import { SuccessStates } from './success-states.ts';
import { uninstalledFrom } from './uninstalled.ts';
import type { Wave, WavePart } from '../wave.ts';

/**
 * Returns the rollout of an add-on in one wave, without simulating its clusters one by one: the strategies of all placements start
 * all waiting clusters at once, no cluster is in progress, and all become ready. Undefined if more decides about it.
 */
export function rolloutAtOnce(
  addOn: ResolvedAddOn,
  { nodes }: RolloutGraph,
  from: AddOnState,
  starts: readonly Start[],
  { now, hub }: Pick<SimulationOptions, 'now' | 'hub'>,
): Rollout | undefined {
  const byPlacement = new Map(nodes.map((node) => [node.placement, node]));
  if (byPlacement.size !== nodes.length) return undefined;
  if (starts.some((start) => start.class.bypasses)) return undefined;
  const byLeader = groupBy(starts, ({ child }) => child.placements.at(-1));
  const waitingOf = ({ placement }: StrategyNode): number =>
    numberOf((byLeader.get(placement) ?? []).filter((start) => start.class.waits));
  if (nodes.some((node) => waitingOf(node) > placesAtOnce(node))) return undefined;
  // A snapshot from the future.
  if (starts.some(({ class: { since = -Infinity } }) => since > now)) return undefined;
  const clusters = waitingClusters(addOn.clusters, starts);
  const parts = partsOf(clusters, addOn.clusters, byPlacement);
  if (parts === undefined) return undefined;

  const report = (node: StrategyNode, isBefore: boolean): Progression => {
    const { placement } = node;
    const selected = groupIndex(node.groups).clusters.length;
    const waiting = isBefore ? waitingOf(node) : 0;
    const counts = {
      selected,
      configured: selected - takenFrom(placement, addOn.clusters),
      progressing: waiting,
      done: numberOf(byLeader.get(placement) ?? []) - waiting,
      failed: 0,
      timedOut: 0,
    };
    return progressionOf(placement, counts, hub);
  };
  const wave: Wave = {
    after: 0,
    earliest: 0,
    clusters,
    parts,
    progressions: nodes.map((node) => report(node, true)),
  };
  return {
    waves: clusters.length === 0 ? [] : [wave],
    configures: true,
    stops: [],
    unready: [],
    uninstalled: uninstalledFrom(addOn.clusters, from),
    progressions: nodes.map((node) => report(node, false)),
    settledAfter: 0,
    settledEarliest: 0,
    reached: reachedAtOnce(addOn, from, now),
  };
}

/**
 * Returns the number of clusters of a placement that its strategy starts at once. Negative if clusters wait for more than a place:
 * for other groups, for a soak, or because the hub cannot read the strategy.
 */
function placesAtOnce({ strategy, groups }: StrategyNode): number {
  const { type, mandatoryGroups, maxConcurrency, maxFailures, minSuccessTime, progressDeadline } = strategy;
  const { all, clusters } = groupIndex(groups);
  if (progressDeadline instanceof Error || all.length !== groups.length) return -1;
  if (type === 'All') return clusters.length;
  if (type !== 'Progressive' || mandatoryGroups.length > 0 || minSuccessTime > 0) return -1;
  const places = sizeOf(maxConcurrency, clusters.length, clusters.length);
  const failures = sizeOf(maxFailures, clusters.length, 0);
  return places instanceof Error || failures instanceof Error ? -1 : places;
}

function numberOf(lists: readonly { readonly clusters: readonly string[] }[]): number {
  return lists.reduce((sum, { clusters }) => sum + clusters.length, 0);
}

/** Returns the number of clusters that the placement selects and whose rollout a later placement leads. */
function takenFrom(placement: string, { selections }: AddOnClusters): number {
  let taken = 0;
  for (const [{ placements }, clusters] of selections.classes)
    if (placements.includes(placement) && placements.at(-1) !== placement) taken += clusters.length;
  return taken;
}

/** Returns the clusters that get a configuration, sorted by name. */
function waitingClusters(clusters: AddOnClusters, starts: readonly Start[]): readonly string[] {
  const waiting = starts.filter((start) => start.class.waits);
  if (numberOf(waiting) === clusters.size) return [...clusters.keys()];
  return waiting.flatMap((start) => start.clusters).sort();
}

/** Returns the parts of the wave in the order of the placements. Undefined if a cluster is in no group of its placement. */
function partsOf(
  waiting: readonly string[],
  clusters: AddOnClusters,
  byPlacement: ReadonlyMap<string, StrategyNode>,
): readonly WavePart[] | undefined {
  const lists = new Map<StrategyNode, Map<TrackedGroup, string[]>>();
  for (const node of byPlacement.values()) lists.set(node, new Map());
  for (const cluster of waiting) {
    const node = byPlacement.get(clusters.leaderOf(cluster) ?? '');
    const group = node && groupIndex(node.groups).groupOf.get(cluster);
    const ofNode = node && lists.get(node);
    if (group === undefined || ofNode === undefined) return undefined;
    getOrInsertComputed(ofNode, group, () => []).push(cluster);
  }
  return [...lists].flatMap(([{ placement }, ofNode]) =>
    Array.from(ofNode, ([{ index, name }, ofGroup]) => ({
      cause: 'strategy' as const,
      placement,
      group: { index, name, mandatory: false },
      clusters: ofGroup,
    })),
  );
}

function reachedAtOnce(addOn: ResolvedAddOn, from: AddOnState, now: number): AddOnState {
  const classOf = startClassesOf(addOn);
  const successes = new SuccessStates();
  const stateOn = (cluster: string): ClusterState | undefined => {
    const child = addOn.clusters.get(cluster);
    if (child === undefined) return undefined;
    const before = from.get(cluster) ?? freshState;
    return classOf(child, before)?.waits === true ? successes.of(child, before, now) : before;
  };
  return { get: stateOn, keys: () => addOn.clusters.keys() };
}
