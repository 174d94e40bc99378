import type {
  ClusterManagementAddOnV1beta1MandatoryDecisionGroup,
  ClusterManagementAddOnV1beta1RolloutStrategy,
} from '../../schemas/types.gen.ts';
import { parseGoDuration } from './go-duration.ts';

/** A number of clusters, or a share of them such as `25%`. */
export type Size = number | string;

/** A rollout strategy as the hub reads it. */
export interface Strategy {
  readonly type: string;
  readonly mandatoryGroups: readonly ClusterManagementAddOnV1beta1MandatoryDecisionGroup[];
  readonly maxConcurrency: Size;
  readonly maxFailures: Size;
  /** Milliseconds that a cluster soaks after its success; undefined where the hub cannot read it. */
  readonly minSuccessTime: number | undefined;
  /** As written; read only when the strategy runs. */
  readonly progressDeadline: string;
}

/**
 * The strategy of a placement. Limits that are not written are zero, as the objects that carry them decode in Go.
 * As OCM's addPlacementNode: a Progressive rollout without a concurrency takes the size of the placement's groups.
 */
export function readStrategy(
  written: ClusterManagementAddOnV1beta1RolloutStrategy | undefined,
  clustersPerDecisionGroup: Size,
): Strategy {
  const type = written?.type ?? 'All';
  const { all, progressive, progressivePerGroup } = written ?? {};
  const limits = type === 'All' ? all : type === 'Progressive' ? progressive : progressivePerGroup;
  const grouped = type === 'Progressive' ? progressive : type === 'ProgressivePerGroup' ? progressivePerGroup : undefined;
  const concurrency = type === 'Progressive' ? (progressive?.maxConcurrency ?? 0) : 0;
  return {
    type,
    mandatoryGroups: grouped?.mandatoryDecisionGroups ?? [],
    maxConcurrency: concurrency === 0 ? clustersPerDecisionGroup : concurrency,
    maxFailures: limits?.maxFailures ?? 0,
    // As metav1.Duration: an absent one is zero.
    minSuccessTime: limits?.minSuccessTime === undefined ? 0 : parseGoDuration(limits.minSuccessTime),
    progressDeadline: limits?.progressDeadline ?? '',
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

/** As sdk-go's parseTimeout: milliseconds, `Infinity` for none; its pattern is not anchored as it looks. */
export function deadlineOf(text: string): number | Error {
  if (text === '' || text === 'None') return Infinity;
  if (!/^(([0-9])+[h|m|s])|None$/.test(text)) return new Error('invalid timeout format');
  return parseGoDuration(text) ?? new Error(`time: invalid duration ${JSON.stringify(text)}`);
}
