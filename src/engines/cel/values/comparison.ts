import { compareUtf8 } from '../../../base/json/go-json.ts';
import { CelDuration, CelTimestamp, CelUint } from './value.ts';
import { CelError } from '../error.ts';
import type { CelValue } from './value.ts';

export type Order = -1 | 0 | 1;

/** The errors of cel-go's operators and functions for values of unsupported types. */
export const noSuchOverload = new CelError('no such overload');

/** Compares two values of one type, or two numbers. */
export function compare(a: CelValue, b: CelValue): Order | CelError {
  if (isNumber(a)) {
    if (!isNumber(b)) return noSuchOverload;
    return compareNumbers(a, b) ?? new CelError('NaN values cannot be ordered');
  }
  if (typeof a === 'string') return typeof b === 'string' ? order(compareUtf8(a, b), 0) : noSuchOverload;
  if (typeof a === 'boolean') return typeof b === 'boolean' ? order(Number(a), Number(b)) : noSuchOverload;
  if (a instanceof CelTimestamp) return b instanceof CelTimestamp ? compareTimes(a, b) : noSuchOverload;
  if (a instanceof CelDuration)
    return b instanceof CelDuration ? order(a.nanoseconds, b.nanoseconds) : noSuchOverload;
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? compareBytes(a, b) : noSuchOverload;
  return noSuchOverload;
}

export function isNumber(value: CelValue): value is bigint | number | CelUint {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof CelUint;
}

/** Undefined if one of them is NaN. */
export function compareNumbers(
  a: bigint | number | CelUint,
  b: bigint | number | CelUint,
): Order | undefined {
  if (Number.isNaN(a) || Number.isNaN(b)) return undefined;
  const left = a instanceof CelUint ? a.value : a;
  const right = b instanceof CelUint ? b.value : b;
  if (typeof left === 'bigint' && typeof right === 'bigint') return order(left, right);
  // as compareDoubleInt: within the range of the integer type, both are compared as doubles
  if (typeof left === 'bigint')
    return order(0, compareWithInteger(Number(right), left, a instanceof CelUint));
  if (typeof right === 'bigint') return compareWithInteger(left, right, b instanceof CelUint);
  return order(left, right);
}

function compareWithInteger(double: number, integer: bigint, unsigned: boolean): Order {
  if (double < (unsigned ? 0 : -(2 ** 63))) return -1;
  if (double > 2 ** (unsigned ? 64 : 63)) return 1;
  return order(double, Number(integer));
}

function order<T extends number | bigint>(a: T, b: T): Order {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function compareTimes(a: CelTimestamp, b: CelTimestamp): Order {
  return order(a.seconds, b.seconds) || order(a.nanoseconds, b.nanoseconds);
}

function compareBytes(a: Uint8Array, b: Uint8Array): Order {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = order(a[index] ?? 0, b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return order(a.length, b.length);
}
