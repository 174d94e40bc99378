import { CelDuration, CelList, CelMap, CelOptional, CelTimestamp, CelTypeValue, CelUint } from './value.ts';
import { CannotTell } from '../error.ts';
import type { CelValue } from './value.ts';
import type { CelError } from '../error.ts';
import { compareNumbers, isNumber } from './comparison.ts';

/**
 * Evaluates `a == b`. Numbers of all types are compared by value; values of other types are never equal. Returns an error only if
 * a library's type rejects the comparison. In lists and maps such errors count as equal, as in cel-go.
 */
export function equal(a: CelValue, b: CelValue): boolean | CelError {
  return a === null || b === null ? a === b : equals(a, b);
}

/** As the `Equal` of cel-go's values, which treats null like any other value. */
export function equals(a: CelValue, b: CelValue): boolean | CelError {
  if (isNumber(a)) return isNumber(b) && compareNumbers(a, b) === 0;
  if (a === null || typeof a !== 'object') return a === b;
  if (a instanceof CelList) return b instanceof CelList && equalLists(a, b);
  if (a instanceof CelMap) return b instanceof CelMap && equalMaps(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(a, b);
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanoseconds === b.nanoseconds;
  if (a instanceof CelTimestamp)
    return b instanceof CelTimestamp && a.seconds === b.seconds && a.nanoseconds === b.nanoseconds;
  if (a instanceof CelTypeValue) return b instanceof CelTypeValue && a.name === b.name;
  if (a instanceof CelOptional) return b instanceof CelOptional && equalOptionals(a, b);
  if (a instanceof CelUint) return false;
  return a.equals(b);
}

function equalLists(a: CelList, b: CelList): boolean {
  if (a.size !== b.size) return false;
  if (!a.ordered || !b.ordered) return equalInSomeOrder(a, b);
  return a.elements.every((element, index) => equal(element, b.elements[index] ?? null) !== false);
}

/** Returns false if the lists differ in every order. Throws if the result depends on the order. */
function equalInSomeOrder(a: CelList, b: CelList): boolean {
  const isEqual = a.anyOrder.every((left) => b.anyOrder.some((right) => equal(left, right) !== false));
  if (isEqual) throw new CannotTell('it depends on the order of a map, which is random on the hub');
  return false;
}

function equalMaps(a: CelMap, b: CelMap): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a.entries()) {
    const other = b.get(key);
    if (other === undefined || equal(value, other) === false) return false;
  }
  return true;
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function equalOptionals(a: CelOptional, b: CelOptional): boolean | CelError {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equals(a.value, b.value);
}
