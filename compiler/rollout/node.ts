import type { ClusterAddOn, ResolvedAddOn } from '../configure/configuration.ts';
import { objectKey, type Inventory } from '../inventory.ts';
import type { DecisionGroup, Decisions } from '../place/decision.ts';
import { readStrategy, type Size, type Strategy } from './strategy.ts';

/** One placement of an install strategy and the clusters whose rollout it leads. */
export interface StrategyNode {
  /** `namespace/name` of the Placement. */
  readonly placement: string;
  readonly strategy: Strategy;
  /** All clusters that the Placement selects, those too whose rollout a later placement leads. */
  readonly groups: readonly DecisionGroup[];
  /** The add-ons for which this placement is the last that selects their cluster. */
  readonly children: readonly ClusterAddOn[];
}

/** Who leads the rollout of which cluster. */
export interface RolloutGraph {
  readonly nodes: readonly StrategyNode[];
  /** Add-ons that no placement selects: they change at once. */
  readonly unplaced: readonly ClusterAddOn[];
}

/** As OCM's addonconfiguration graph: a cluster of several placements belongs to the last. */
export function rolloutGraph(addOn: ResolvedAddOn, inventory: Inventory, decisions: Decisions): RolloutGraph {
  const children = new Map<string, ClusterAddOn[]>();
  const unplaced: ClusterAddOn[] = [];
  for (const cluster of addOn.clusters.values()) {
    const last = cluster.placements.at(-1);
    const siblings = last === undefined ? unplaced : (children.get(last) ?? []);
    siblings.push(cluster);
    if (last !== undefined) children.set(last, siblings);
  }
  const installStrategy = inventory.clusterManagementAddOns.get(addOn.name)?.object.spec.installStrategy;
  const placements = installStrategy?.type === 'Placements' ? (installStrategy.placements ?? []) : [];
  const nodes = placements.map(({ namespace, name, rolloutStrategy }): StrategyNode => {
    const placement = objectKey(namespace, name);
    const groupStrategy = inventory.placements.get(placement)?.object.spec.decisionStrategy?.groupStrategy;
    const groupSize: Size = groupStrategy?.clustersPerDecisionGroup ?? 0;
    return {
      placement,
      strategy: readStrategy(rolloutStrategy, groupSize),
      groups: decisions.decisions.get(placement)?.groups ?? [],
      children: children.get(placement) ?? [],
    };
  });
  return { nodes, unplaced };
}
