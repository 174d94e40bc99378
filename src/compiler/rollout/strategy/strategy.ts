import type {
  ClusterManagementAddOnV1beta1MandatoryDecisionGroup,
  ClusterManagementAddOnV1beta1RolloutStrategy,
} from '../../../../schemas/types.gen.ts';
import { parseGoDuration } from '../../../base/time/duration.ts';

/** A number of clusters, or a percentage of them such as `25%`. */
export type Size = number | string;

/** A rollout strategy as the hub reads it. Limits that are not set are zero, as they decode in Go. */
export interface Strategy {
  readonly type: 'All' | 'Progressive' | 'ProgressivePerGroup';
  readonly mandatoryGroups: readonly ClusterManagementAddOnV1beta1MandatoryDecisionGroup[];
  readonly maxConcurrency: Size;
  readonly maxFailures: Size;
  /** The soak time of a cluster after its success, in milliseconds. */
  readonly minSuccessTime: number;
  /** The time limit per cluster, in milliseconds. `Infinity` without a limit, an `Error` if the hub cannot parse it. */
  readonly progressDeadline: number | Error;
}

/** The field of a strategy that its type reads. */
export const partOf = {
  All: 'all',
  Progressive: 'progressive',
  ProgressivePerGroup: 'progressivePerGroup',
} as const;

/**
 * Returns the strategy of a placement. As OCM's addPlacementNode: a Progressive rollout without a concurrency uses the size of
 * the placement's groups.
 */
export function readStrategy(
  rolloutStrategy: ClusterManagementAddOnV1beta1RolloutStrategy = {},
  clustersPerDecisionGroup: Size = 0,
): Strategy {
  const { type = 'All', progressive, progressivePerGroup } = rolloutStrategy;
  const grouped =
    type === 'Progressive' ? progressive : type === 'ProgressivePerGroup' ? progressivePerGroup : undefined;
  // As sdk-go: of the fields of `all`, only the deadline is read.
  const { progressDeadline = '' } = (type === 'All' ? rolloutStrategy.all : grouped) ?? {};
  const concurrency = type === 'Progressive' ? (progressive?.maxConcurrency ?? 0) : 0;
  const soak = parseGoDuration(grouped?.minSuccessTime ?? '0');
  return {
    type,
    mandatoryGroups: grouped?.mandatoryDecisionGroups ?? [],
    maxConcurrency: concurrency === 0 ? clustersPerDecisionGroup : concurrency,
    maxFailures: grouped?.maxFailures ?? 0,
    // Admission rejects invalid durations.
    minSuccessTime: soak instanceof Error ? 0 : soak,
    progressDeadline: deadlineOf(progressDeadline),
  };
}

/**
 * Returns the number of clusters for a size, or an `Error` with the hub's message if the size is invalid. As sdk-go's
 * calculateRolloutSize: a value that is not above zero, or is above the total, becomes the default.
 */
export function sizeOf(size: Size, total: number, otherwise: number): number | Error {
  let n: number;
  if (typeof size === 'number') n = size;
  else {
    if (!size.endsWith('%')) {
      return new Error(`'${size}' is an invalid maximum threshold value: string is not a percentage`);
    }
    // In doubles and in this order: 7% of 100 is 8.
    n = Math.ceil((Number(size.slice(0, -1)) / 100) * total);
  }
  return n <= 0 || n > total ? otherwise : n;
}

/** Returns the hub's log message for an invalid limit. As sdk-go's RolloutHandler. */
export function limitError(field: 'maxConcurrency' | 'maxFailures', { message }: Error): Error {
  return new Error(`failed to parse the provided ${field}: ${message}`);
}

/**
 * Returns the milliseconds of a progress deadline, `Infinity` without one, or an `Error` with the hub's message. As sdk-go's
 * parseTimeout, whose pattern is not anchored as it appears to be.
 */
export function deadlineOf(text: string): number | Error {
  if (text === '' || text === 'None') return Infinity;
  if (!/^(([0-9])+[h|m|s])|None$/.test(text)) return new Error('invalid timeout format');
  return parseGoDuration(text);
}
