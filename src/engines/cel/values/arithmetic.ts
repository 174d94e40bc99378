import { noSuchOverload } from './comparison.ts';
import { CelDuration, CelList, CelTimestamp, CelUint, maxInt, maxUint, minInt } from './value.ts';
import { CelError } from '../error.ts';
import type { CelResult, CelValue } from './value.ts';
import { addToTime } from './time.ts';

export const intOverflow = new CelError('integer overflow');
export const uintOverflow = new CelError('unsigned integer overflow');

function int(value: bigint): CelResult {
  return value < minInt || value > maxInt ? intOverflow : value;
}

function uint(value: bigint): CelResult {
  return value < 0n || value > maxUint ? uintOverflow : new CelUint(value);
}

function duration(nanoseconds: bigint): CelResult {
  const checked = int(nanoseconds);
  return typeof checked === 'bigint' ? new CelDuration(checked) : checked;
}

/** `a + b` */
export function add(a: CelValue, b: CelValue): CelResult {
  if (typeof a === 'bigint' && typeof b === 'bigint') return int(a + b);
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (a instanceof CelList && b instanceof CelList) return concatenate(a, b);
  if (a instanceof CelUint && b instanceof CelUint) return uint(a.value + b.value);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Uint8Array.from([...a, ...b]);
  if (a instanceof CelDuration && b instanceof CelDuration) return duration(a.nanoseconds + b.nanoseconds);
  if (a instanceof CelDuration && b instanceof CelTimestamp) return addToTime(b, a.nanoseconds);
  if (a instanceof CelTimestamp && b instanceof CelDuration) return addToTime(a, b.nanoseconds);
  return noSuchOverload;
}

function concatenate(a: CelList, b: CelList): CelList {
  if (a.size === 0) return b;
  if (b.size === 0) return a;
  return new CelList([...a.anyOrder, ...b.anyOrder], a.ordered && b.ordered);
}

/** `a - b` */
export function subtract(a: CelValue, b: CelValue): CelResult {
  if (typeof a === 'bigint' && typeof b === 'bigint') return int(a - b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (a instanceof CelUint && b instanceof CelUint) return uint(a.value - b.value);
  if (a instanceof CelDuration && b instanceof CelDuration) return duration(a.nanoseconds - b.nanoseconds);
  if (a instanceof CelTimestamp && b instanceof CelDuration)
    return b.nanoseconds === minInt ? intOverflow : addToTime(a, -b.nanoseconds);
  if (a instanceof CelTimestamp && b instanceof CelTimestamp) return between(b, a);
  return noSuchOverload;
}

function between(from: CelTimestamp, to: CelTimestamp): CelResult {
  // as subtractTimeChecked: the whole seconds must fit separately
  const seconds = int(BigInt(to.seconds - from.seconds) * 1_000_000_000n);
  return typeof seconds === 'bigint'
    ? duration(seconds + BigInt(to.nanoseconds - from.nanoseconds))
    : intOverflow;
}

/** `a * b` */
export function multiply(a: CelValue, b: CelValue): CelResult {
  if (typeof a === 'bigint' && typeof b === 'bigint') return int(a * b);
  if (typeof a === 'number' && typeof b === 'number') return a * b;
  if (a instanceof CelUint && b instanceof CelUint) return uint(a.value * b.value);
  return noSuchOverload;
}

/** `a / b` */
export function divide(a: CelValue, b: CelValue): CelResult {
  if (typeof a === 'number' && typeof b === 'number') return a / b;
  return divideIntegers(a, b, 'division by zero', (x, y) => x / y);
}

/** `a % b` */
export function modulo(a: CelValue, b: CelValue): CelResult {
  // cel-go checks the quotient, not the remainder, so the smallest integer % -1 overflows
  if (a === minInt && b === -1n) return intOverflow;
  return divideIntegers(a, b, 'modulus by zero', (x, y) => x % y);
}

function divideIntegers(
  a: CelValue,
  b: CelValue,
  byZero: string,
  compute: (a: bigint, b: bigint) => bigint,
): CelResult {
  if (typeof a === 'bigint' && typeof b === 'bigint')
    return b === 0n ? new CelError(byZero) : int(compute(a, b));
  if (a instanceof CelUint && b instanceof CelUint)
    return b.value === 0n ? new CelError(byZero) : uint(compute(a.value, b.value));
  return noSuchOverload;
}

/** `-a` */
export function negate(a: CelValue): CelResult {
  if (typeof a === 'bigint') return int(-a);
  if (typeof a === 'number') return -a;
  if (a instanceof CelDuration) return duration(-a.nanoseconds);
  return noSuchOverload;
}
