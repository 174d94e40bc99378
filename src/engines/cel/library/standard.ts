import { add, divide, modulo, multiply, negate, subtract } from '../values/arithmetic.ts';
import type { CelBehaviour } from '../behaviour.ts';
import { compare, noSuchOverload } from '../values/comparison.ts';
import type { Order } from '../values/comparison.ts';
import {
  toBool,
  toBytes,
  toDouble,
  toDuration,
  toInt,
  toText,
  toTimestamp,
  toUint,
} from '../values/conversion.ts';
import { equals } from '../values/equality.ts';
import {
  anyOf,
  bool,
  bytes,
  double,
  duration,
  int,
  listOf,
  mapOf,
  method,
  methodSignature,
  overload,
  signature,
  text,
  timestamp,
  uint,
} from '../function.ts';
import type { FunctionDeclaration, Overload, Parameter } from '../function.ts';
import { matches } from '../values/regular-expression.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  stringType,
  timestampType,
  typeOfType,
  uintType,
} from '../check/types.ts';
import type { CelType } from '../check/types.ts';
import { CelList, CelMap, CelTypeValue, typeName } from '../values/value.ts';
import { CelError } from '../error.ts';
import type { CelResult, CelValue } from '../values/value.ts';
import { codePointLength } from '../syntax/text.ts';

const a = anyOf('A');
const b = anyOf('B');
const listOfA = listOf(a);
const mapOfAB = mapOf(a, b);

/** Returns the functions and operators of the CEL specification, as cel-go's common/stdlib declares them. */
export function standardFunctions(behaviour: CelBehaviour): readonly FunctionDeclaration[] {
  return [...operators, ...comparisons, ...conversions(behaviour), ...stringFunctions];
}

function binary(compute: (left: CelValue, right: CelValue) => CelResult) {
  return ([left, right]: readonly CelValue[]): CelResult =>
    left === undefined || right === undefined ? noSuchOverload : compute(left, right);
}

function unary(compute: (value: CelValue) => CelResult) {
  return ([value]: readonly CelValue[]): CelResult => (value === undefined ? noSuchOverload : compute(value));
}

/** Operators that the evaluator computes itself have overloads only for the checker. */
const operators: readonly FunctionDeclaration[] = [
  { name: '_?_:_', overloads: [signature('conditional', [bool, a, a], a.type)] },
  { name: '_&&_', overloads: [signature('logical_and', [bool, bool], boolType)] },
  { name: '_||_', overloads: [signature('logical_or', [bool, bool], boolType)] },
  {
    name: '!_',
    overloads: [signature('logical_not', [bool], boolType)],
    implement: unary((value) => (typeof value === 'boolean' ? !value : noSuchOverload)),
  },
  { name: '@not_strictly_false', overloads: [signature('not_strictly_false', [bool], boolType)] },
  { name: '_==_', overloads: [signature('equals', [a, a], boolType)] },
  { name: '_!=_', overloads: [signature('not_equals', [a, a], boolType)] },
  {
    name: '_+_',
    overloads: [
      signature('add_bytes', [bytes, bytes], bytesType),
      signature('add_double', [double, double], doubleType),
      signature('add_duration_duration', [duration, duration], durationType),
      signature('add_duration_timestamp', [duration, timestamp], timestampType),
      signature('add_timestamp_duration', [timestamp, duration], timestampType),
      signature('add_int64', [int, int], intType),
      signature('add_list', [listOfA, listOfA], listOfA.type),
      signature('add_string', [text, text], stringType),
      signature('add_uint64', [uint, uint], uintType),
    ],
    implement: binary(add),
  },
  {
    name: '_/_',
    overloads: [
      signature('divide_double', [double, double], doubleType),
      signature('divide_int64', [int, int], intType),
      signature('divide_uint64', [uint, uint], uintType),
    ],
    implement: binary(divide),
  },
  {
    name: '_%_',
    overloads: [
      signature('modulo_int64', [int, int], intType),
      signature('modulo_uint64', [uint, uint], uintType),
    ],
    implement: binary(modulo),
  },
  {
    name: '_*_',
    overloads: [
      signature('multiply_double', [double, double], doubleType),
      signature('multiply_int64', [int, int], intType),
      signature('multiply_uint64', [uint, uint], uintType),
    ],
    implement: binary(multiply),
  },
  {
    name: '-_',
    overloads: [signature('negate_double', [double], doubleType), signature('negate_int64', [int], intType)],
    implement: unary(negate),
  },
  {
    name: '_-_',
    overloads: [
      signature('subtract_double', [double, double], doubleType),
      signature('subtract_duration_duration', [duration, duration], durationType),
      signature('subtract_int64', [int, int], intType),
      signature('subtract_timestamp_duration', [timestamp, duration], timestampType),
      signature('subtract_timestamp_timestamp', [timestamp, timestamp], durationType),
      signature('subtract_uint64', [uint, uint], uintType),
    ],
    implement: binary(subtract),
  },
  {
    name: '_[_]',
    overloads: [
      signature('index_list', [listOfA, int], a.type),
      signature('index_map', [mapOfAB, a], b.type),
    ],
  },
  {
    name: '@in',
    overloads: [signature('in_list', [a, listOfA], boolType), signature('in_map', [a, mapOfAB], boolType)],
    implement: binary(contains),
  },
  {
    name: 'size',
    overloads: [
      signature('size_bytes', [bytes], intType),
      methodSignature('bytes_size', [bytes], intType),
      signature('size_list', [listOfA], intType),
      methodSignature('list_size', [listOfA], intType),
      signature('size_map', [mapOfAB], intType),
      methodSignature('map_size', [mapOfAB], intType),
      signature('size_string', [text], intType),
      methodSignature('string_size', [text], intType),
    ],
    implement: unary(sizeOf),
  },
];

function contains(value: CelValue, collection: CelValue): CelResult {
  if (collection instanceof CelMap) return collection.get(value) !== undefined;
  if (collection instanceof CelList)
    return collection.anyOrder.some((element) => equals(value, element) === true);
  return noSuchOverload;
}

function sizeOf(value: CelValue): CelResult {
  if (typeof value === 'string') return BigInt(codePointLength(value));
  if (value instanceof CelList || value instanceof CelMap) return BigInt(value.size);
  if (value instanceof Uint8Array) return BigInt(value.length);
  return noSuchOverload;
}

/** The types that can be compared with each other, in cel-go's order. */
const comparable: readonly (readonly [string, Parameter, Parameter])[] = [
  ['bool', bool, bool],
  ['int64', int, int],
  ['int64_double', int, double],
  ['int64_uint64', int, uint],
  ['uint64', uint, uint],
  ['uint64_double', uint, double],
  ['uint64_int64', uint, int],
  ['double', double, double],
  ['double_int64', double, int],
  ['double_uint64', double, uint],
  ['string', text, text],
  ['bytes', bytes, bytes],
  ['timestamp', timestamp, timestamp],
  ['duration', duration, duration],
];

function comparison(name: string, id: string, holds: (order: Order) => boolean): FunctionDeclaration {
  return {
    name,
    overloads: comparable.map(([types, left, right]) => ({
      ...signature(`${id}_${types}`, [left, right], boolType),
      crossesTypes: left !== right,
    })),
    implement: binary((left, right) => {
      const order = compare(left, right);
      return order instanceof CelError ? order : holds(order);
    }),
  };
}

const comparisons: readonly FunctionDeclaration[] = [
  comparison('_<_', 'less', (order) => order < 0),
  comparison('_<=_', 'less_equals', (order) => order <= 0),
  comparison('_>_', 'greater', (order) => order > 0),
  comparison('_>=_', 'greater_equals', (order) => order >= 0),
];

function conversion(
  name: string,
  result: CelType,
  convert: (value: CelValue) => CelResult,
  from: Readonly<Record<string, Parameter>>,
): FunctionDeclaration {
  const overloads: Overload[] = Object.entries(from).map(([id, param]) =>
    overload(id, [param], result, convert),
  );
  return { name, overloads };
}

function conversions({ durationOfInt }: CelBehaviour): readonly FunctionDeclaration[] {
  return [
    { name: 'type', overloads: [signature('type', [a], typeOfType(a.type))], implement: unary(typeOf) },
    { name: 'dyn', overloads: [signature('to_dyn', [a], dynType)], implement: unary((value) => value) },
    conversion('bool', boolType, toBool, { bool_to_bool: bool, string_to_bool: text }),
    conversion('bytes', bytesType, toBytes, { bytes_to_bytes: bytes, string_to_bytes: text }),
    conversion('double', doubleType, toDouble, {
      double_to_double: double,
      int64_to_double: int,
      string_to_double: text,
      uint64_to_double: uint,
    }),
    conversion('duration', durationType, toDuration, {
      duration_to_duration: duration,
      ...(durationOfInt && { int64_to_duration: int }),
      string_to_duration: text,
    }),
    conversion('int', intType, toInt, {
      int64_to_int64: int,
      double_to_int64: double,
      duration_to_int64: duration,
      string_to_int64: text,
      timestamp_to_int64: timestamp,
      uint64_to_int64: uint,
    }),
    conversion('string', stringType, toText, {
      string_to_string: text,
      bool_to_string: bool,
      bytes_to_string: bytes,
      double_to_string: double,
      duration_to_string: duration,
      int64_to_string: int,
      timestamp_to_string: timestamp,
      uint64_to_string: uint,
    }),
    conversion('timestamp', timestampType, toTimestamp, {
      timestamp_to_timestamp: timestamp,
      int64_to_timestamp: int,
      string_to_timestamp: text,
    }),
    conversion('uint', uintType, toUint, {
      uint64_to_uint64: uint,
      double_to_uint64: double,
      int64_to_uint64: int,
      string_to_uint64: text,
    }),
  ];
}

function typeOf(value: CelValue): CelResult {
  return new CelTypeValue(typeName(value));
}

const stringFunctions: readonly FunctionDeclaration[] = [
  {
    name: 'contains',
    overloads: [method('contains_string', [text, text], boolType, (s, part) => s.includes(part))],
  },
  {
    name: 'endsWith',
    overloads: [method('ends_with_string', [text, text], boolType, (s, end) => s.endsWith(end))],
  },
  {
    name: 'startsWith',
    overloads: [method('starts_with_string', [text, text], boolType, (s, start) => s.startsWith(start))],
  },
  {
    name: 'matches',
    overloads: [
      signature('matches', [text, text], boolType),
      methodSignature('matches_string', [text, text], boolType),
    ],
    implement: binary((s, pattern) =>
      typeof s === 'string' && typeof pattern === 'string' ? matches(s, pattern) : noSuchOverload,
    ),
  },
];
