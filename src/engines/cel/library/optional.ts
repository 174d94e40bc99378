import {
  anyOf,
  dyn,
  int,
  listOf,
  mapOf,
  method,
  methodSignature,
  optionalOf,
  overload,
  signature,
  text,
} from '../function.ts';
import type { FunctionDeclaration } from '../function.ts';
import { boolType } from '../check/types.ts';
import { CelList, CelMap, CelOptional, CelDuration, CelTimestamp, CelUint, none } from '../values/value.ts';
import { CelError } from '../error.ts';
import type { CelResult, CelValue } from '../values/value.ts';

const k = anyOf('K');
const v = anyOf('V');
const optionalV = optionalOf(v);
const listV = listOf(v);
const mapKV = mapOf(k, v);
const listOfOptionals = listOf(optionalV);

/** cel-go's optional types, all versions of the library. */
export const optionalFunctions: readonly FunctionDeclaration[] = [
  {
    name: 'optional.of',
    overloads: [overload('optional_of', [v], optionalV.type, (value) => new CelOptional(value))],
  },
  {
    name: 'optional.ofNonZeroValue',
    overloads: [
      overload('optional_ofNonZeroValue', [v], optionalV.type, (value) =>
        isZero(value) ? none : new CelOptional(value),
      ),
    ],
  },
  { name: 'optional.none', overloads: [overload('optional_none', [], optionalV.type, () => none)] },
  {
    name: 'value',
    overloads: [
      method(
        'optional_value',
        [optionalV],
        v.type,
        ({ value }) => value ?? (value === null ? null : new CelError('optional.none() dereference')),
      ),
    ],
  },
  {
    name: 'hasValue',
    overloads: [method('optional_hasValue', [optionalV], boolType, ({ value }) => value !== undefined)],
  },
  // the evaluator computes these two itself
  {
    name: 'or',
    overloads: [methodSignature('optional_or_optional', [optionalV, optionalV], optionalV.type)],
  },
  { name: 'orValue', overloads: [methodSignature('optional_orValue_value', [optionalV, v], v.type)] },
  { name: '_?._', overloads: [signature('select_optional_field', [dyn, text], optionalV.type)] },
  {
    name: '_[?_]',
    overloads: [
      signature('list_optindex_optional_int', [listV, int], optionalV.type),
      signature('optional_list_optindex_optional_int', [optionalOf(listV), int], optionalV.type),
      signature('map_optindex_optional_value', [mapKV, k], optionalV.type),
      signature('optional_map_optindex_optional_value', [optionalOf(mapKV), k], optionalV.type),
    ],
  },
  {
    name: '_[_]',
    overloads: [
      signature('optional_list_index_int', [optionalOf(listV), int], optionalV.type),
      signature('optional_map_index_value', [optionalOf(mapKV), k], optionalV.type),
    ],
  },
  { name: 'first', overloads: [method('list_first', [listV], optionalV.type, (list) => elementAt(list, 0))] },
  { name: 'last', overloads: [method('list_last', [listV], optionalV.type, (list) => elementAt(list, -1))] },
  {
    name: 'optional.unwrap',
    overloads: [overload('optional_unwrap', [listOfOptionals], listV.type, unwrap)],
  },
  { name: 'unwrapOpt', overloads: [method('optional_unwrapOpt', [listOfOptionals], listV.type, unwrap)] },
];

function elementAt(list: CelList, index: number): CelOptional {
  return list.size === 0 ? none : new CelOptional(list.elements.at(index));
}

function unwrap(list: CelList): CelResult {
  const values: CelValue[] = [];
  for (const element of list.anyOrder) {
    if (!(element instanceof CelOptional)) return new CelError('value is not optional');
    if (element.value !== undefined) values.push(element.value);
  }
  return new CelList(values, list.ordered);
}

/** Whether a value is the zero of its type. Values that libraries add never are. */
function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === '' || value === 0 || value === 0n) return true;
  if (value instanceof CelList || value instanceof CelMap) return value.size === 0;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelDuration) return value.nanoseconds === 0n;
  // Go's zero time is the first second of the year 1
  return value instanceof CelTimestamp && value.seconds === -62_135_596_800 && value.nanoseconds === 0;
}
