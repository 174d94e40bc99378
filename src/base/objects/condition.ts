/** A condition of a status, with the fields that decide whether it changes. */
interface ConditionState {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  /** RFC 3339; absent where the time is unknown, as in a prediction. */
  readonly lastTransitionTime?: string;
}

export function conditionOf<C extends Partial<Pick<ConditionState, 'type'>>>(
  conditions: readonly C[] | null | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/**
 * Sets a condition in a list: in its position, or at the end. As apimachinery SetStatusCondition.
 *
 * @param condition - its time is that of the transition, if there is one
 */
export function withCondition<C extends ConditionState>(
  conditions: readonly C[],
  condition: C,
): readonly C[] {
  const earlier = conditionOf(conditions, condition.type);
  if (earlier === undefined) return [...conditions, condition];
  const next = afterEarlier(earlier, condition);
  return conditions.map((each) => (each === earlier ? next : each));
}

/** Returns a condition with the time of an earlier one of the same status: reason and message alone are no transition. */
export function afterEarlier<C extends ConditionState>(earlier: C | undefined, condition: C): C {
  return earlier?.status !== condition.status || earlier.lastTransitionTime === undefined
    ? condition
    : { ...condition, lastTransitionTime: earlier.lastTransitionTime };
}

/** Whether a condition has the same content as an earlier one, whatever their times. */
export function isUnchanged(
  earlier: ConditionState | undefined,
  condition: Omit<ConditionState, 'type'>,
): boolean {
  return (
    earlier?.status === condition.status &&
    earlier.reason === condition.reason &&
    earlier.message === condition.message
  );
}
