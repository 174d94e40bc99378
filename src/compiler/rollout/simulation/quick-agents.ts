import type { ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import { mandatoryGroups } from '../decision-tracker.ts';
import type { RolloutGraph } from '../graph.ts';
import { simulateRollout, type Rollout, type SimulationOptions } from './simulate-rollout.ts';
import type { AddOnState } from './add-on-state.ts';

/**
 * Simulates a rollout twice, because it depends on the speed of the agents: with soaks that count from the success of a cluster, and
 * with soaks that count from the earliest time possible (`earliestSuccess`). The first has the waves, the second the earliest time
 * of each. A cluster that ends its soak sooner never delays another one, so no mixture of slow and quick agents is outside of these.
 */
export function simulateWithQuickAgents(
  addOn: ResolvedAddOn,
  graph: RolloutGraph,
  from: AddOnState,
  options: SimulationOptions,
): Rollout {
  const rollout = simulateRollout(addOn, graph, from, options);
  if (!graph.nodes.some(({ strategy: { type, minSuccessTime } }) => type !== 'All' && minSuccessTime > 0))
    return rollout;
  const quick = simulateRollout(addOn, graph, from, { ...options, soaksSince: 'earliest' });
  const isFirstCome = firstComeIn(addOn, graph, from);
  const starts = new Map<string, number>();
  for (const { after, clusters } of quick.waves)
    for (const cluster of clusters) if (!starts.has(cluster)) starts.set(cluster, after);
  return {
    ...rollout,
    waves: rollout.waves.map((wave) => ({
      ...wave,
      earliest: wave.clusters.reduce(
        (earliest, cluster) =>
          Math.min(earliest, isFirstCome(cluster) ? 0 : (starts.get(cluster) ?? wave.after)),
        wave.after,
      ),
    })),
    settledEarliest: Math.min(quick.settledAfter, rollout.settledAfter),
  };
}

/**
 * Returns whether a cluster can be in the first wave of an installation, whatever its name. As sdk-go's progressivePerCluster: clusters that
 * have a ManagedClusterAddOn come before the others, and the hub creates these in random order while it configures the first. Groups come in
 * their order even then.
 */
function firstComeIn(
  { clusters }: ResolvedAddOn,
  { nodes }: RolloutGraph,
  from: AddOnState,
): (cluster: string) => boolean {
  const firstCome = new Set(
    nodes
      .filter(
        ({ groups, strategy }) =>
          strategy.type === 'Progressive' && mandatoryGroups(groups, strategy).length === 0,
      )
      .map(({ placement }) => placement),
  );
  return (cluster) =>
    from.get(cluster)?.progressing === undefined && firstCome.has(clusters.leaderOf(cluster) ?? '');
}
