import { add } from '../values/arithmetic.ts';
import { compare, noSuchOverload } from '../values/comparison.ts';
import { equals } from '../values/equality.ts';
import {
  anyOf,
  bool,
  bytes,
  double,
  duration,
  int,
  listOf,
  method,
  text,
  timestamp,
  uint,
} from '../function.ts';
import type { FunctionDeclaration, Parameter } from '../function.ts';
import { boolType, intType } from '../check/types.ts';
import { CelDuration, CelUint } from '../values/value.ts';
import { CannotTell, CelError } from '../error.ts';
import type { CelList, CelResult, CelValue } from '../values/value.ts';

const a = anyOf('A');

const summable: readonly (readonly [string, Parameter, CelValue])[] = [
  ['int', int, 0n],
  ['uint', uint, new CelUint(0n)],
  ['double', double, 0],
  ['duration', duration, new CelDuration(0n)],
];
const comparable: readonly (readonly [string, Parameter])[] = [
  ['int', int],
  ['uint', uint],
  ['double', double],
  ['bool', bool],
  ['duration', duration],
  ['timestamp', timestamp],
  ['string', text],
  ['bytes', bytes],
];

/** Kubernetes' lists library. */
export const listsFunctions: readonly FunctionDeclaration[] = [
  {
    name: 'isSorted',
    overloads: comparable.map(([name, type]) =>
      method(`list_${name}_is_sorted_bool`, [listOf(type)], boolType, isSorted),
    ),
  },
  {
    name: 'sum',
    overloads: summable.map(([name, type, zero]) =>
      method(`list_${name}_sum_${name}`, [listOf(type)], type.type, (list) => sum(list, zero)),
    ),
  },
  {
    name: 'max',
    overloads: comparable.map(([name, type]) =>
      method(`list_${name}_max_${name}`, [listOf(type)], type.type, (list) => extreme(list, 'max', -1)),
    ),
  },
  {
    name: 'min',
    overloads: comparable.map(([name, type]) =>
      method(`list_${name}_min_${name}`, [listOf(type)], type.type, (list) => extreme(list, 'min', 1)),
    ),
  },
  {
    name: 'indexOf',
    overloads: [
      method('list_a_index_of_int', [listOf(a), a], intType, (list, item) =>
        BigInt(list.elements.findIndex((element) => equals(element, item) === true)),
      ),
    ],
  },
  {
    name: 'lastIndexOf',
    overloads: [
      method('list_a_last_index_of_int', [listOf(a), a], intType, (list, item) =>
        BigInt(list.elements.findLastIndex((element) => equals(element, item) === true)),
      ),
    ],
  },
];

/** Returns the elements. If they all have one exact type, the order is not defined, because it cannot matter. */
function commutable(list: CelList): readonly CelValue[] {
  const [first] = list.anyOrder;
  const exact =
    typeof first !== 'number' && list.anyOrder.every((element) => typeof element === typeof first);
  return exact && first !== null && typeof first !== 'object' ? list.anyOrder : list.elements;
}

function isSorted(list: CelList): CelResult {
  let previous: CelValue | undefined;
  for (const element of list.elements) {
    if (!isComparable(element)) return noSuchOverload;
    if (previous !== undefined && compare(previous, element) === 1) return false;
    previous = element;
  }
  return true;
}

function isComparable(value: CelValue): boolean {
  return comparable.some(([, type]) => type.accepts(value));
}

function sum(list: CelList, zero: CelValue): CelResult {
  let total = zero;
  for (const element of commutable(list)) {
    const next = add(total, element);
    if (next instanceof CelError) {
      if (!list.ordered) throw new CannotTell('whether a sum overflows depends on the order of a map');
      return next;
    }
    total = next;
  }
  return total;
}

function extreme(list: CelList, name: string, worse: -1 | 1): CelResult {
  let result: CelValue | undefined;
  for (const element of commutable(list)) {
    if (!isComparable(element)) return noSuchOverload;
    if (result === undefined || compare(result, element) === worse) result = element;
  }
  return result === undefined ? new CelError(`${name} called on empty list`) : result;
}
