import type { Duration } from 'cdk8s';
import type {
  ClusterManagementAddOnV1beta1MandatoryDecisionGroup,
  ClusterManagementAddOnV1beta1RolloutStrategy,
} from '../schemas/types.gen.ts';
import { checkedDuration } from './checked-prop.ts';
import type { DecisionGroup } from './decision-group.ts';
import { defined, unlessEmpty } from './defined.ts';
import { toGoDuration } from './go-duration.ts';

/** A share of the clusters, such as `25%`. Whole numbers from 0 to 100; the hub rounds the result up. */
export type Percent = `${number}%`;

/** A decision group: itself, its name, or its index. */
export type DecisionGroupReference = DecisionGroup | string | number;

/** How a change reaches all clusters at once. */
export interface RolloutAllOptions {
  /**
   * How long a cluster may take before the rollout counts it as timed out.
   *
   * @default - no limit
   */
  readonly progressDeadline?: Duration;
}

/** How a change reaches one decision group after the other. */
export interface RolloutPerGroupOptions extends RolloutAllOptions {
  /**
   * The groups that come first, one after the other. Each of their clusters must succeed before any other
   * cluster changes; `maxFailures` does not excuse them.
   *
   * @default - none
   */
  readonly mandatoryGroups?: readonly DecisionGroupReference[];

  /**
   * How long a cluster must have succeeded before the next ones change: the time to soak.
   *
   * @default - none: the next ones follow at once
   */
  readonly minSuccessTime?: Duration;

  /**
   * How many clusters may fail or time out before the rollout stops. A number greater than the number of
   * clusters counts as 0 on the hub.
   *
   * @default 0
   */
  readonly maxFailures?: number | Percent;
}

/** How a change reaches some clusters at a time. */
export interface RolloutProgressiveOptions extends RolloutPerGroupOptions {
  /**
   * How many clusters change at the same time, once the mandatory groups are through.
   *
   * @default - as many as a decision group of the Placement has
   */
  readonly maxConcurrency?: number | Percent;
}

/**
 * In which waves a change of the configuration reaches the clusters of a placement.
 *
 * @see https://open-cluster-management.io/docs/concepts/add-on-extensibility/addon/#rollout-strategy
 */
export class Rollout {
  /** All clusters at once. */
  static all(options: RolloutAllOptions = {}): Rollout {
    // Of the fields of `all` the hub reads this one only, as sdk-go's rolloutAll.
    const all = limits(options);
    return new Rollout({ type: 'All', ...(Object.keys(all).length > 0 && { all }) });
  }

  /** Some clusters at a time, whatever their group. */
  static progressive(options: RolloutProgressiveOptions = {}): Rollout {
    const progressive = defined({ maxConcurrency: options.maxConcurrency, ...steps(options) });
    return new Rollout({ type: 'Progressive', progressive });
  }

  /** One decision group of the Placement after the other. */
  static progressivePerGroup(options: RolloutPerGroupOptions = {}): Rollout {
    return new Rollout({ type: 'ProgressivePerGroup', progressivePerGroup: steps(options) });
  }

  /** As OCM's objects write it. */
  readonly strategy: ClusterManagementAddOnV1beta1RolloutStrategy;

  private constructor(strategy: ClusterManagementAddOnV1beta1RolloutStrategy) {
    this.strategy = strategy;
  }
}

function limits({ progressDeadline }: RolloutAllOptions) {
  return defined({
    progressDeadline: progressDeadline && toGoDuration(checkedDuration(progressDeadline, 'progressDeadline')),
  });
}

function steps(options: RolloutPerGroupOptions) {
  return defined({
    mandatoryDecisionGroups: unlessEmpty((options.mandatoryGroups ?? []).map(toMandatoryGroup)),
    minSuccessTime:
      options.minSuccessTime && toGoDuration(checkedDuration(options.minSuccessTime, 'minSuccessTime')),
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
