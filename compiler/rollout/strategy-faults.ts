import type { ClusterManagementAddOnV1beta1RolloutStrategy } from '../../schemas/types.gen.ts';
import type { FieldPath } from '../field-path.ts';
import { parseGoDuration } from './go-duration.ts';
import { deadlineOf, sizeOf } from './strategy.ts';

/** A value that the API server accepts and with which the hub's controllers cannot work. */
export interface StrategyFault {
  /** The field, below `rolloutStrategy`. */
  readonly path: FieldPath;
  readonly value: number | string;
  /** What the hub's log says. */
  readonly error: string;
  /**
   * Whether the object cannot be decoded. The controllers then read none of its kind; otherwise only its own add-on
   * stands still.
   */
  readonly undecodable: boolean;
}

const usedPart = {
  All: 'all',
  Progressive: 'progressive',
  ProgressivePerGroup: 'progressivePerGroup',
} as const;

/** The values of a strategy that stop the hub, in the order in which they are written. */
export function strategyFaults(written: ClusterManagementAddOnV1beta1RolloutStrategy = {}): StrategyFault[] {
  const { type = 'All', all, progressive, progressivePerGroup } = written;
  const faults: StrategyFault[] = [];
  for (const [part, fields] of Object.entries({ all, progressive, progressivePerGroup })) {
    for (const [field, value] of Object.entries(fields ?? {})) {
      if (typeof value !== 'string' && typeof value !== 'number') continue;
      const decoding = decodingError(field, value);
      // What does not decode matters wherever it stands, also beside the part that the type uses.
      const error =
        decoding ?? (part === usedPart[type] ? runningError(field, value, type === 'All') : undefined);
      if (error !== undefined)
        faults.push({ path: [part, field], value, error, undecodable: decoding !== undefined });
    }
  }
  return faults;
}

/** As Go decodes metav1.Duration and intstr.IntOrString. */
function decodingError(field: string, value: number | string): string | undefined {
  if (typeof value === 'number') {
    const fits = value === (value | 0);
    return fits ? undefined : `json: cannot unmarshal number ${value} into Go value of type int32`;
  }
  const duration = field === 'minSuccessTime' ? parseGoDuration(value) : 0;
  return duration instanceof Error ? duration.message : undefined;
}

/** As sdk-go's RolloutHandler reads the strings that it gets. */
function runningError(field: string, value: number | string, all: boolean): string | undefined {
  if (field === 'progressDeadline') {
    const deadline = deadlineOf(String(value));
    return deadline instanceof Error ? deadline.message : undefined;
  }
  if (all || (field !== 'maxFailures' && field !== 'maxConcurrency')) return undefined;
  const size = sizeOf(value, 1, 0);
  return size instanceof Error ? `failed to parse the provided ${field}: ${size.message}` : undefined;
}
