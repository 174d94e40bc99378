import type { Duration } from 'cdk8s';
import type {
  ClusterManagementAddOnV1beta1MandatoryDecisionGroup,
  ClusterManagementAddOnV1beta1RolloutStrategy,
} from '../schemas/types.gen.ts';
import type { DecisionGroup } from './decision-group.ts';
import { defined, unlessEmpty } from './defined.ts';
import { toGoDuration } from './go-duration.ts';

/** A percentage of the clusters, such as `25%`. Whole numbers from 0 to 100; the hub rounds the result up. */
export type Percent = `${number}%`;

/** A decision group: the object, its name, or its index. */
export type DecisionGroupReference = DecisionGroup | string | number;

/** The settings of a rollout to all clusters at once. */
export interface RolloutAllOptions {
  /**
   * Maximum time per cluster, after which the cluster counts as timed out.
   *
   * @default - no limit
   */
  readonly progressDeadline?: Duration;
}

/** The settings of a rollout to one decision group after the other. */
export interface RolloutPerGroupOptions extends RolloutAllOptions {
  /**
   * The groups that change first, one after the other. All of their clusters must succeed before any other cluster
   * changes; `maxFailures` does not apply to them.
   *
   * @default - none
   */
  readonly mandatoryGroups?: readonly DecisionGroupReference[];

  /**
   * Time that a cluster must stay successful before the next clusters change (soak time). A promotion holds it. The hub of
   * OCM 1.1 to 1.3 can end it immediately, and counts a cluster as successful as soon as its works are applied.
   *
   * @see https://github.com/fleetwright/fleetwright/blob/main/docs/rollout.md#what-holds-on-a-hub
   * @default - none: the next clusters change immediately
   */
  readonly minSuccessTime?: Duration;

  /**
   * Maximum number of clusters that may fail or time out before the rollout stops. If it is greater than the number
   * of clusters, the hub uses 0.
   *
   * @default 0
   */
  readonly maxFailures?: number | Percent;
}

/** The settings of a rollout to some clusters at a time. */
export interface RolloutProgressiveOptions extends RolloutPerGroupOptions {
  /**
   * Maximum number of clusters that change at the same time, after the mandatory groups.
   *
   * @default - the size of a decision group of the Placement
   */
  readonly maxConcurrency?: number | Percent;
}

/** The groups that a promotion releases first, and the rollouts within them and for the other clusters. */
interface PromotedParts {
  readonly groups: readonly DecisionGroupReference[];
  readonly ofGroup: Rollout;
  readonly ofOthers: Rollout;
}

/**
 * The waves in which a change of the configuration reaches the clusters of a placement.
 *
 * @example
 * Rollout.progressive({
 *   mandatoryGroups: ['canary'],
 *   maxConcurrency: '25%',
 *   progressDeadline: Duration.hours(1),
 * });
 *
 * @see https://open-cluster-management.io/docs/concepts/add-on-extensibility/addon/#rollout-strategy
 */
export class Rollout {
  /** Changes all clusters at once. */
  static all(options: RolloutAllOptions = {}): Rollout {
    // Of the fields of `all`, the hub reads only this one, as in sdk-go's rolloutAll.
    const all = limits(options);
    return new Rollout({ type: 'All', ...(Object.keys(all).length > 0 && { all }) });
  }

  /** Changes some clusters at a time, in any group. */
  static progressive(options: RolloutProgressiveOptions = {}): Rollout {
    const progressive = defined({ maxConcurrency: options.maxConcurrency, ...steps(options) });
    return new Rollout({ type: 'Progressive', progressive });
  }

  /** Changes one decision group of the Placement after the other. */
  static progressivePerGroup(options: RolloutPerGroupOptions = {}): Rollout {
    return new Rollout({ type: 'ProgressivePerGroup', progressivePerGroup: steps(options) });
  }

  /**
   * As `progressive`, but a promotion releases each wave: it waits until the workloads of the wave before are healthy, and holds
   * `minSuccessTime`. With compiled delivery, all waves are those of the promotion. With hub delivery, each of the mandatory groups gets
   * its own Placement (the Placement all-canary for the group canary of the Placement all), and the promotion releases these before the other
   * clusters. The app needs a promotion file, `promotions/<app>.yaml`.
   *
   * @see https://github.com/fleetwright/fleetwright/blob/main/docs/promotion.md
   */
  static promoted(options: RolloutProgressiveOptions = {}): Rollout {
    // The hub does not hold a soak between clusters of one placement, and none follows the last placement.
    const { mandatoryGroups = [], minSuccessTime, ...others } = options;
    const { progressDeadline } = options;
    const { strategy } = Rollout.progressive(options);
    return new Rollout(strategy, {
      groups: mandatoryGroups,
      ofGroup: Rollout.progressivePerGroup(defined({ minSuccessTime, progressDeadline })),
      ofOthers: Rollout.progressive(others),
    });
  }

  /** Keeps values of other classes from being assignable. */
  declare protected readonly brand: 'Rollout';

  /**
   * Returns the strategy as written in OCM's objects.
   *
   * @internal
   */
  readonly strategy: ClusterManagementAddOnV1beta1RolloutStrategy;

  /**
   * The placements that a promotion with hub delivery releases one after the other. Absent without a promotion.
   *
   * @internal
   */
  readonly promoted: PromotedParts | undefined;

  private constructor(strategy: ClusterManagementAddOnV1beta1RolloutStrategy, promoted?: PromotedParts) {
    this.strategy = strategy;
    this.promoted = promoted;
  }
}

function limits({ progressDeadline }: RolloutAllOptions) {
  return defined({
    progressDeadline: progressDeadline && toGoDuration(progressDeadline),
  });
}

function steps(options: RolloutPerGroupOptions) {
  return defined({
    mandatoryDecisionGroups: unlessEmpty((options.mandatoryGroups ?? []).map(toMandatoryGroup)),
    minSuccessTime: options.minSuccessTime && toGoDuration(options.minSuccessTime),
    maxFailures: options.maxFailures,
    ...limits(options),
  });
}

function toMandatoryGroup(
  group: DecisionGroupReference,
): ClusterManagementAddOnV1beta1MandatoryDecisionGroup {
  if (typeof group === 'number') return { groupIndex: group };
  return { groupName: typeof group === 'string' ? group : group.group.groupName };
}
