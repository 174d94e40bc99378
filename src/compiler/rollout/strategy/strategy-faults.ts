import type { ClusterManagementAddOnV1beta1RolloutStrategy } from '../../../../schemas/types.gen.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { deadlineOf, limitError, partOf, sizeOf } from './strategy.ts';

/** A value that the API server accepts but the hub's rollout cannot process. */
export interface StrategyFault {
  /** The field, below `rolloutStrategy`. */
  readonly path: FieldPath;
  readonly value: string;
  /** The error message in the hub's log. */
  readonly error: string;
}

/** Returns the values of a strategy that stop the hub, in the order in which they are written. As sdk-go's RolloutHandler. */
export function strategyFaults(strategy: ClusterManagementAddOnV1beta1RolloutStrategy = {}): StrategyFault[] {
  const { type = 'All' } = strategy;
  const part = partOf[type];
  return Object.entries(strategy[part] ?? {}).flatMap(([field, value]) => {
    if (typeof value !== 'string') return [];
    const error = errorOf(field, value, type === 'All');
    return error === undefined ? [] : [{ path: [part, field], value, error }];
  });
}

function errorOf(field: string, text: string, all: boolean): string | undefined {
  if (field === 'progressDeadline') {
    const deadline = deadlineOf(text);
    return deadline instanceof Error ? deadline.message : undefined;
  }
  if (all || (field !== 'maxFailures' && field !== 'maxConcurrency')) return undefined;
  const size = sizeOf(text, 1, 0);
  return size instanceof Error ? limitError(field, size).message : undefined;
}
