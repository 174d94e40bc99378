import type {
  Condition,
  ManagedClusterV1,
  PlacementDecisionV1beta1,
  PlacementV1beta1,
  PlacementV1beta1Status,
} from '../../schemas/types.gen.ts';
import type { Admitted } from '../inventory.ts';
import type { DecisionsAtFirst } from './earlier-decisions.ts';
import type { Misconfiguration, Standstill } from './fault.ts';
import type { HubView } from './hub-view.ts';
import type { Ranking } from './ranking.ts';
import type { Scheduling } from './schedule.ts';

/** One group of a decision; its index is its position. */
export interface DecisionGroup {
  /** Empty for the groups that the strategy does not name. */
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

/** How a decision came about. */
export interface Reasoning {
  readonly scheduling: Scheduling;
  /** The scores, also where they made no difference; computed when asked for. */
  readonly ranking: () => Ranking;
  /** The hub never comes to rest: it selects other clusters on every pass, and these are those of one of them. */
  readonly unsettled: boolean;
  /** The clusters that the hub selects instead when it next looks at the placement, if they are different. */
  readonly revision?: readonly string[];
}

/** What the hub decides for one Placement. */
export interface Decision {
  readonly placement: Admitted<PlacementV1beta1>;
  readonly groups: readonly DecisionGroup[];
  /** Every cluster that `objects` name, sorted by name: what add-ons and works follow. */
  readonly selected: readonly string[];
  readonly status: DecidedStatus;
  /** The PlacementDecision objects that the hub holds, in order. */
  readonly objects: readonly PlacementDecisionV1beta1[];
  /** What the hub's condition PlacementMisconfigured complains about. */
  readonly misconfiguration?: Misconfiguration;
  /** Why the hub does not decide, so that groups, clusters, status and objects are those that it had before. */
  readonly standstill?: Standstill;
  /** Absent where the hub does not decide. */
  readonly reasoning?: Reasoning;
}

/** What placing returns: the clusters as placements see them, and the decision of every Placement. */
export interface Decisions {
  /** By name, in load order, after what the hub does to clusters: set label, taints. */
  readonly clusters: ReadonlyMap<string, ManagedClusterV1>;
  /** By `namespace/name` of the Placement, sorted. */
  readonly decisions: ReadonlyMap<string, Decision>;
  /** Sets, bindings, selectors and scores as placements see them. */
  readonly hub: HubView;
  /** What deciding began with. */
  readonly earlier: DecisionsAtFirst;
  /** The moment that was decided for, in milliseconds since 1970. */
  readonly now: number;
}
