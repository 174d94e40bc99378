import type {
  Condition,
  ManagedClusterV1,
  PlacementDecisionV1beta1,
  PlacementV1beta1,
  PlacementV1beta1Status,
} from '../../../schemas/types.gen.ts';
import type { Admitted } from '../model/inventory.ts';
import type { DecisionsAtFirst } from './earlier-decisions.ts';
import type { Misconfiguration, Unscheduled } from './fault.ts';
import type { SchedulerIndex } from './scheduler-index.ts';
import type { Ranking } from './ranking.ts';
import type { Scheduling } from './schedule.ts';

/** One group of a decision; its index is its position. */
export interface DecisionGroup {
  /** Empty for groups that the strategy does not name. */
  readonly name: string;
  /** Sorted by name. */
  readonly clusters: readonly string[];
}

/** A condition as the hub writes it, without times. */
export type DecidedCondition = Omit<Condition, 'lastTransitionTime'>;

/** A placement's status as the hub writes it, conditions without times. */
export interface DecidedStatus extends Omit<PlacementV1beta1Status, 'conditions'> {
  readonly conditions?: readonly DecidedCondition[];
}

/** How a decision was computed. */
export interface Reasoning {
  readonly scheduling: Scheduling;
  /** Returns the scores, including scores that made no difference. They are computed on demand. */
  readonly ranking: () => Ranking;
  /** The hub never settles: it selects other clusters on every pass. These are the clusters of one pass. */
  readonly unsettled: boolean;
  /** The clusters that the hub selects the next time it evaluates the placement, if they differ. */
  readonly revision?: readonly string[];
}

/** The hub's decision for one Placement. */
export interface Decision {
  readonly placement: Admitted<PlacementV1beta1>;
  readonly groups: readonly DecisionGroup[];
  /** Every cluster that `objects` name, sorted by name. Add-ons and works follow these clusters. */
  readonly selected: readonly string[];
  readonly status: DecidedStatus;
  /** The PlacementDecision objects on the hub, in order. */
  readonly objects: readonly PlacementDecisionV1beta1[];
  /** The fault that the hub reports in its condition PlacementMisconfigured. */
  readonly misconfiguration?: Misconfiguration;
  /** Why the hub does not decide, so that groups, clusters, status and objects stay unchanged. */
  readonly unscheduled?: Unscheduled;
  /**
   * Absent if the hub does not decide.
   *
   * @internal
   */
  readonly reasoning?: Reasoning;
}

/** The result of placing: the clusters as placements see them, and the decision of every Placement. */
export interface Decisions {
  /** By name, in load order, after the changes that the hub makes to clusters: set label, taints. */
  readonly clusters: ReadonlyMap<string, ManagedClusterV1>;
  /** By `namespace/name` of the Placement, sorted. */
  readonly byPlacement: ReadonlyMap<string, Decision>;
  /**
   * Sets, bindings, selectors and scores as placements see them.
   *
   * @internal
   */
  readonly scheduler: SchedulerIndex;
  /**
   * The PlacementDecisions of the inputs, by `namespace/name` of the Placement that their label names.
   *
   * @internal
   */
  readonly given: ReadonlyMap<string, readonly PlacementDecisionV1beta1[]>;
  /**
   * The decisions before placing.
   *
   * @internal
   */
  readonly earlier: DecisionsAtFirst;
  /** The time of the decision, in milliseconds since 1970. */
  readonly now: number;
}
