import type { ManagedClusterV1, PlacementDecisionV1beta1, PlacementV1beta1 } from '../../schemas/types.gen.ts';
import type { Admitted } from '../inventory.ts';

/** One group of a decision; its index is its position. */
export interface DecisionGroup {
  /** Empty for the groups that the strategy does not name. */
  readonly name: string;
  /** Sorted by name. */
  readonly clusters: readonly string[];
}

/** What the hub decides for one Placement. */
export interface Decision {
  readonly placement: Admitted<PlacementV1beta1>;
  readonly groups: readonly DecisionGroup[];
  /** Every selected cluster, sorted by name. */
  readonly selected: readonly string[];
  /** As the hub writes it, conditions without times. */
  readonly status: NonNullable<PlacementV1beta1['status']>;
  /** The PlacementDecision objects that the hub creates, in order. */
  readonly objects: readonly PlacementDecisionV1beta1[];
}

/** What placing returns: the clusters as placements see them, and the decision of every Placement. */
export interface Decisions {
  /** By name, in load order, after what the hub does to clusters: set label, taints. */
  readonly clusters: ReadonlyMap<string, ManagedClusterV1>;
  /** By `namespace/name` of the Placement. */
  readonly decisions: ReadonlyMap<string, Decision>;
}
