import type { Condition } from '../../schemas/types.gen.ts';
import { timestamp } from '../../kubernetes/client/clock.ts';

/** The decided part of a condition; the times are set when it is written. */
export interface DecidedCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** One word in camel case. */
  readonly reason: string;
  readonly message: string;
}

export function conditionOf(
  conditions: readonly Condition[] | undefined,
  type: string,
): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** The maximum length of a condition's message. */
const longest = 32_768;

/**
 * Sets a condition in a list. The time of the transition changes only with the status, never with reason or message
 * alone. As apimachinery SetStatusCondition.
 *
 * @param now - milliseconds since the epoch
 */
export function withCondition(
  conditions: readonly Condition[],
  decided: DecidedCondition,
  now: number,
): readonly Condition[] {
  const held = conditionOf(conditions, decided.type);
  const lastTransitionTime = held?.status === decided.status ? held.lastTransitionTime : timestamp(now);
  const message = decided.message.slice(0, longest);
  const { observedGeneration: _, ...rest } = held ?? {};
  const condition: Condition = { ...rest, ...decided, message, lastTransitionTime };
  return held === undefined
    ? [...conditions, condition]
    : conditions.map((each) => (each === held ? condition : each));
}

export function withoutCondition(conditions: readonly Condition[], type: string): readonly Condition[] {
  return conditions.filter((condition) => condition.type !== type);
}

/** Characters of a condition's message that are kept if only its status and reason matter. */
const longestKept = 4096;

/** Returns the conditions of some types, each with the part of its message that matters. */
export function cutConditions(
  conditions: readonly Condition[] | undefined,
  types: readonly string[],
): readonly Condition[] {
  return types.flatMap((type) => {
    const condition = conditionOf(conditions, type);
    return condition === undefined
      ? []
      : [{ ...condition, message: condition.message.slice(0, longestKept) }];
  });
}
