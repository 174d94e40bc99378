import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { isSameList, RememberedSame } from '../../base/collections/remembered.ts';
import type { ClusterManagementAddOnV1beta1RolloutStrategy } from '../../../schemas/types.gen.ts';
import type { AddOnClusters } from '../configure/add-on-clusters.ts';
import type { ClusterAddOn, ResolvedAddOn } from '../configure/resolved-add-on.ts';
import { installPlacements } from '../../ocm/install-strategy.ts';
import { objectKey, type Inventory } from '../model/inventory.ts';
import type { Decision, Decisions } from '../place/decision.ts';
import { trackGroups, type TrackedGroup } from './decision-tracker.ts';
import { readStrategy, type Strategy } from './strategy/strategy.ts';

/** One placement of an install strategy and the clusters whose rollout it leads. */
export interface StrategyNode {
  /** `namespace/name` of the Placement. */
  readonly placement: string;
  /** Its position in `spec.installStrategy.placements`. */
  readonly position: number;
  readonly strategy: Strategy;
  /** The strategy as written. */
  readonly rolloutStrategy: ClusterManagementAddOnV1beta1RolloutStrategy | undefined;
  /** The size that the Placement sets for its groups. @default - none */
  readonly clustersPerGroup?: number | string | undefined;
  /**
   * All clusters that the Placement selects, by group, including those whose rollout a later placement leads. One list as long as the
   * groups are the same.
   */
  readonly groups: readonly TrackedGroup[];
  /** The clusters for which this placement is the last that selects them. */
  readonly children: AddOnClusters;
}

/** The assignment of clusters to the placements that lead their rollout. */
export interface RolloutGraph {
  /** In the order of the install strategy. */
  readonly nodes: readonly StrategyNode[];
  /** Add-ons that no placement selects. They change immediately. */
  readonly unplaced: readonly ClusterAddOn[];
}

/** A placement whose decisions the hub cannot read. */
export interface UnreadableDecisions {
  readonly placement: string;
  /** The error message in the hub's log. */
  readonly error: string;
}

/**
 * As OCM's addonconfiguration graph: if several placements select a cluster, it belongs to the last. Placements without decisions
 * are omitted. If a Placement does not exist, `ResolvedAddOn.stalled` describes the consequence.
 */
export function rolloutGraph(
  addOn: ResolvedAddOn,
  inventory: Inventory,
  decisions: Decisions,
): RolloutGraph | UnreadableDecisions {
  const admitted = inventory.clusterManagementAddOns.get(addOn.name);
  const placements = admitted === undefined ? [] : installPlacements(admitted.object);
  const nodes: StrategyNode[] = [];
  for (const [position, { namespace, name, rolloutStrategy }] of placements.entries()) {
    const placement = objectKey(namespace, name);
    const decision = decisions.byPlacement.get(placement);
    if (decision === undefined) continue;
    const groups = groupsOf(placement, decision, decisions);
    if (groups instanceof Error) return { placement, error: groups.message };
    let children: AddOnClusters | undefined;
    const clustersPerGroup =
      decision.placement.object.spec.decisionStrategy?.groupStrategy?.clustersPerDecisionGroup;
    nodes.push({
      placement,
      position,
      strategy: readStrategy(rolloutStrategy, clustersPerGroup),
      rolloutStrategy,
      clustersPerGroup,
      groups,
      // Computed lazily: some callers need only strategies and groups.
      get children() {
        return (children ??= addOn.clusters.ledBy(placement));
      },
    });
  }
  return {
    nodes,
    unplaced: [...addOn.clusters.individual.values()].filter((child) => child.placements.length === 0),
  };
}

type Groups = ReturnType<typeof trackGroups>;

const tracked = new WeakMap<Decision, Groups>();
const rememberedGroups = new RememberedSame<Groups>(areSameGroups);
/** Keep the last groups of each placement, as long as the fleet is the same. */
const owners = new WeakMap<Decisions['clusters'], Map<string, object>>();
/** More placements than any hub has: those whose names are being typed are forgotten. */
const mostPlacements = 1000;

/** Returns the groups of a decision: one list for all add-ons that follow it, and for all states in which it is the same. */
function groupsOf(placement: string, decision: Decision, { clusters }: Decisions): Groups {
  return getOrInsertComputed(tracked, decision, () => {
    const ofFleet = getOrInsertComputed(owners, clusters, () => new Map<string, object>());
    if (ofFleet.size > mostPlacements) ofFleet.clear();
    const owner = getOrInsertComputed(ofFleet, placement, () => ({}));
    return rememberedGroups.of(owner, trackGroups(decision.objects));
  });
}

function areSameGroups(one: Groups, other: Groups): boolean {
  if (one instanceof Error || other instanceof Error) return one === other;
  return (
    one.length === other.length &&
    one.every(({ index, name, clusters }, position) => {
      const group = other[position];
      return group?.index === index && group.name === name && isSameList(clusters, group.clusters);
    })
  );
}
