import type { ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import { mandatoryGroups } from '../decision-tracker.ts';
import type { RolloutGraph, StrategyNode } from '../graph.ts';
import { some, type Stop } from '../stop.ts';
import {
  simulateRollout,
  type Rollout,
  type SimulationOptions,
  type StartOrder,
} from './simulate-rollout.ts';
import type { AddOnState } from './add-on-state.ts';

/**
 * Simulates a rollout twice, because it depends on the speed of the agents: with soaks that count from the success of a cluster, and
 * with soaks that count from the earliest time possible (`earliestSuccess`). The first has the waves, the second the earliest time
 * of each, and clusters that change before a stop of the first. A cluster that ends its soak sooner never delays another one, so no
 * mixture of slow and quick agents is outside of these.
 */
export function simulateWithQuickAgents(
  addOn: ResolvedAddOn,
  graph: RolloutGraph,
  from: AddOnState,
  options: SimulationOptions,
): Rollout {
  const rollout = simulateRollout(addOn, graph, from, options);
  const startOrder = rollout.waves.length > 1 ? startOrderOf(addOn, graph, from) : undefined;
  const simulated = startOrder === undefined ? rollout : { ...rollout, startOrder };
  if (!graph.nodes.some(({ strategy: { type, minSuccessTime } }) => type !== 'All' && minSuccessTime > 0))
    return simulated;
  const quick = simulateRollout(addOn, graph, from, { ...options, soaksSince: 'earliest' });
  const isFirstCome = startOrder === undefined ? firstComeIn(addOn, graph, from) : () => true;
  const starts = new Map<string, number>();
  for (const { after, clusters } of quick.waves)
    for (const cluster of clusters) if (!starts.has(cluster)) starts.set(cluster, after);
  return {
    ...simulated,
    waves: rollout.waves.map((wave) => ({
      ...wave,
      earliest: wave.clusters.reduce(
        (earliest, cluster) =>
          Math.min(earliest, isFirstCome(cluster) ? 0 : (starts.get(cluster) ?? wave.after)),
        wave.after,
      ),
    })),
    stops: rollout.stops.map((stop) => withEarlyClusters(stop, starts)),
    settledEarliest: Math.min(quick.settledAfter, rollout.settledAfter),
  };
}

/** Adds the clusters that quick agents reach before the rollout stops. */
function withEarlyClusters(stop: Stop, starts: ReadonlyMap<string, number>): Stop {
  const early = stop.left.flatMap((cluster) => {
    const earliest = starts.get(cluster);
    return earliest === undefined ? [] : [{ cluster, earliest }];
  });
  if (early.length === 0) return stop;
  const names = some(early.map(({ cluster }) => cluster));
  return {
    ...stop,
    early,
    message: `${stop.message}; ${names} can change before that, because soaks can end early`,
  };
}

/** Returns which clusters of an installation can start before those of the first wave. Undefined if none can, as in every update. */
function startOrderOf(
  { clusters }: ResolvedAddOn,
  { nodes }: RolloutGraph,
  from: AddOnState,
): StartOrder | undefined {
  for (const cluster of clusters.keys()) if (from.get(cluster)?.progressing !== undefined) return undefined;
  const strategies = nodes.filter(({ strategy }) => strategy.type !== 'All');
  if (strategies.some(takesFirstCome)) return 'any cluster';
  return strategies.length > 0 ? 'any group' : undefined;
}

/**
 * Returns whether the first clusters with a ManagedClusterAddOn take the first places, whatever their names. As sdk-go's
 * progressivePerCluster: the hub creates ManagedClusterAddOns in random order while it configures the first. Groups come in their
 * order even then.
 */
function takesFirstCome({ groups, strategy }: StrategyNode): boolean {
  return strategy.type === 'Progressive' && mandatoryGroups(groups, strategy).length === 0;
}

/** Returns the function that decides whether a cluster can be in the first wave because it has no ManagedClusterAddOn yet. */
function firstComeIn(
  { clusters }: ResolvedAddOn,
  { nodes }: RolloutGraph,
  from: AddOnState,
): (cluster: string) => boolean {
  const firstCome = new Set(nodes.filter(takesFirstCome).map(({ placement }) => placement));
  return (cluster) =>
    from.get(cluster)?.progressing === undefined && firstCome.has(clusters.leaderOf(cluster) ?? '');
}
