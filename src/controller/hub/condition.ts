import type { Condition } from '../../../schemas/types.gen.ts';
import type { EqualValues } from '../cache/equal-values.ts';
import { timestamp } from '../../client/clock.ts';
import type { CompanionCondition } from '../../ocm/companion-conditions.ts';
import { conditionOf } from '../../base/objects/condition.ts';

/** The decided part of a condition of a ManagedClusterAddOn; the times are set when it is written. */
export interface DecidedCondition {
  readonly type: CompanionCondition;
  readonly status: 'True' | 'False' | 'Unknown';
  /** One word in camel case. */
  readonly reason: string;
  readonly message: string;
}

/** The maximum length of a condition's message. */
const longest = 32_768;

/**
 * Returns the condition to write, with the time of a transition.
 *
 * @param now - milliseconds since the epoch
 */
export function timedCondition(decided: DecidedCondition, now: number): Condition {
  return { ...decided, message: decided.message.slice(0, longest), lastTransitionTime: timestamp(now) };
}

export function withoutCondition(conditions: readonly Condition[], type: string): readonly Condition[] {
  return conditions.filter((condition) => condition.type !== type);
}

/** Maximum number of characters of a condition's message to cache if only its status and reason matter. */
const maxCachedMessage = 4096;

/** Returns the conditions of some types, each with the part of its message that matters. */
export function cutConditions(
  conditions: readonly Condition[] | undefined,
  types: readonly string[],
): readonly Condition[] {
  return types.flatMap((type) => {
    const condition = conditionOf(conditions, type);
    return condition === undefined
      ? []
      : [{ ...condition, message: condition.message.slice(0, maxCachedMessage) }];
  });
}

/** Returns the conditions with texts that were seen before. Their times differ between clusters, their texts hardly. */
export function sharedConditions(conditions: readonly Condition[], equal: EqualValues): readonly Condition[] {
  return equal.list(conditions.map((condition) => equal.texts(condition)));
}
