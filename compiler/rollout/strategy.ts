import type {
  ClusterManagementAddOnV1beta1MandatoryDecisionGroup,
  ClusterManagementAddOnV1beta1RolloutStrategy,
} from '../../schemas/types.gen.ts';
import { parseGoDuration } from '../syntax/go-duration.ts';

/** A number of clusters, or a share of them such as `25%`. */
export type Size = number | string;

/** A rollout strategy as the hub reads it. Limits that are not written are zero, as they decode in Go. */
export interface Strategy {
  readonly type: 'All' | 'Progressive' | 'ProgressivePerGroup';
  readonly mandatoryGroups: readonly ClusterManagementAddOnV1beta1MandatoryDecisionGroup[];
  readonly maxConcurrency: Size;
  readonly maxFailures: Size;
  /** Milliseconds that a cluster soaks after its success. */
  readonly minSuccessTime: number;
  /** Milliseconds that a cluster may take; `Infinity` without a limit, an `Error` where the hub finds none. */
  readonly progressDeadline: number | Error;
}

/** The part of a strategy that its type reads. */
export const partOf = {
  All: 'all',
  Progressive: 'progressive',
  ProgressivePerGroup: 'progressivePerGroup',
} as const;

/**
 * The strategy of a placement. As OCM's addPlacementNode: a Progressive rollout without a concurrency takes the size of
 * the placement's groups.
 */
export function readStrategy(
  written: ClusterManagementAddOnV1beta1RolloutStrategy = {},
  clustersPerDecisionGroup: Size = 0,
): Strategy {
  const { type = 'All', progressive, progressivePerGroup } = written;
  const grouped =
    type === 'Progressive' ? progressive : type === 'ProgressivePerGroup' ? progressivePerGroup : undefined;
  // As sdk-go: of the fields of `all` only the deadline is read.
  const { progressDeadline = '' } = (type === 'All' ? written.all : grouped) ?? {};
  const concurrency = type === 'Progressive' ? (progressive?.maxConcurrency ?? 0) : 0;
  const soak = parseGoDuration(grouped?.minSuccessTime ?? '0');
  return {
    type,
    mandatoryGroups: grouped?.mandatoryDecisionGroups ?? [],
    maxConcurrency: concurrency === 0 ? clustersPerDecisionGroup : concurrency,
    maxFailures: grouped?.maxFailures ?? 0,
    // What is no duration does not get past admission.
    minSuccessTime: soak instanceof Error ? 0 : soak,
    progressDeadline: deadlineOf(progressDeadline),
  };
}

/**
 * The number of clusters that a size stands for; an `Error` in the hub's words where it stands for none. As sdk-go's
 * calculateRolloutSize: what is not above zero, or above the total, is the default.
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

/** What the hub's log says of a limit that is no size. As sdk-go's RolloutHandler. */
export function limitError(field: 'maxConcurrency' | 'maxFailures', { message }: Error): Error {
  return new Error(`failed to parse the provided ${field}: ${message}`);
}

/**
 * Milliseconds of a progress deadline, `Infinity` for none, an `Error` in the hub's words. As sdk-go's parseTimeout, whose
 * pattern is not anchored as it looks.
 */
export function deadlineOf(text: string): number | Error {
  if (text === '' || text === 'None') return Infinity;
  if (!/^(([0-9])+[h|m|s])|None$/.test(text)) return new Error('invalid timeout format');
  return parseGoDuration(text);
}
