import type { ManagedClusterV1Taint, PlacementV1beta1Toleration } from '../../../schemas/types.gen.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { Misconfiguration } from './fault.ts';
import { moment, zeroTime } from '../../base/time/rfc3339.ts';

const nanosecondsPerSecond = 1_000_000_000n;
const nanosecondsPerMillisecond = 1_000_000n;
// as a Go time.Time without a value
const yearOne = Date.parse(zeroTime);

/** A validated toleration. */
export interface CompiledToleration {
  readonly toleration: PlacementV1beta1Toleration;
  /** Its duration from `timeAdded` on, in nanoseconds; absent: indefinitely. */
  readonly lasts?: bigint;
}

/** The effect of a taint on a placement. */
export type TaintVerdict =
  | { readonly accepted: true; readonly why: 'PreferNoSelect' }
  | { readonly accepted: true; readonly why: 'already selected' }
  /** `by` is the toleration's position in the list; `until`, if its time is limited, is in milliseconds since 1970. */
  | { readonly accepted: true; readonly why: 'tolerated'; readonly by: number; readonly until?: number }
  /** Set if a matching toleration has expired: which one, and when it ended. */
  | { readonly accepted: false; readonly expired?: { readonly by: number; readonly at: number } };

/** Validates the tolerations of a placement, as the hub does once there is a cluster to apply them to. */
export function compileTolerations(
  tolerations: readonly PlacementV1beta1Toleration[],
): readonly CompiledToleration[] | Misconfiguration {
  const compiled: CompiledToleration[] = [];
  for (const [index, toleration] of tolerations.entries()) {
    const { key = '', operator, value = '', tolerationSeconds } = toleration;
    const path: FieldPath = ['spec', 'tolerations', index];
    if (key === '' && operator !== 'Exists') {
      return misconfigured('If the key is empty, operator must be Exists.', path);
    }
    if (operator === 'Exists' && value !== '') {
      return misconfigured('If the operator is Exists, the value should be empty.', path);
    }
    compiled.push(
      tolerationSeconds === undefined ? { toleration } : { toleration, lasts: duration(tolerationSeconds) },
    );
  }
  return compiled;
}

/** As time.Duration, whose 64 bits overflow: 9223372037 seconds are negative. */
function duration(seconds: number): bigint {
  return BigInt.asIntN(64, BigInt(seconds) * nanosecondsPerSecond);
}

/** Returns whether the clusters of a placement may have a taint. `now` is in milliseconds since 1970. */
export function judgeTaint(
  taint: ManagedClusterV1Taint,
  tolerations: readonly CompiledToleration[],
  alreadySelected: boolean,
  now: number,
): TaintVerdict {
  if (taint.effect === 'PreferNoSelect') return { accepted: true, why: 'PreferNoSelect' };
  if (taint.effect === 'NoSelectIfNew' && alreadySelected) return { accepted: true, why: 'already selected' };
  let expired: { by: number; at: number } | undefined;
  for (const [by, { toleration, lasts }] of tolerations.entries()) {
    if (!isMeant(taint, toleration)) continue;
    if (lasts === undefined) return { accepted: true, why: 'tolerated', by };
    const until = expiry(taint, lasts);
    const at = Number(until / nanosecondsPerMillisecond);
    if (BigInt(now) * nanosecondsPerMillisecond < until)
      return { accepted: true, why: 'tolerated', by, until: at };
    expired ??= { by, at };
  }
  return expired === undefined ? { accepted: false } : { accepted: false, expired };
}

/** Whether a toleration matches a taint, regardless of time. */
export function isMeant(taint: ManagedClusterV1Taint, toleration: PlacementV1beta1Toleration): boolean {
  const { effect, key = '', operator = '', value = '' } = toleration;
  if (effect !== undefined && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  switch (operator) {
    case '':
    case 'Equal':
      return value === (taint.value ?? '');
    case 'Exists':
      return true;
    default:
      return false;
  }
}

/** Returns when a time-limited toleration stops tolerating a taint, in nanoseconds since 1970. */
function expiry({ timeAdded }: ManagedClusterV1Taint, lasts: bigint): bigint {
  return BigInt(moment(timeAdded) ?? yearOne) * nanosecondsPerMillisecond + lasts;
}

function misconfigured(message: string, path: FieldPath): Misconfiguration {
  return { plugin: 'TaintToleration', message, path };
}
