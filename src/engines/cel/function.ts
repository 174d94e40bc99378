import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  optionalType,
  stringType,
  timestampType,
  typeParam,
  uintType,
} from './check/types.ts';
import type { CelType } from './check/types.ts';
import {
  CelDuration,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  typeName,
} from './values/value.ts';
import { CelError } from './error.ts';
import type { CelResult, CelValue } from './values/value.ts';
import type { ChainColumns } from './run/chain-columns.ts';

/** The data that functions can read besides their arguments. Functions that a caller adds can read more. */
export interface CallContext {
  /** The values of chains of constant steps, cached for other expressions; `row` is the number of this value of the variables. */
  readonly chains?: ChainColumns;
  readonly row?: number;
}

/** A function or method with one name. Its overloads are in the order in which cel-go tries them. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** Set if one implementation serves all overloads, by value and independent of the declared types. */
  readonly implement?: (args: readonly CelValue[]) => CelResult;
  /** Returns the cost of a call. @default - that of its overload in cel-go */
  readonly cost?: (args: readonly CelResult[], result: CelResult) => number;
}

export interface Overload {
  readonly id: string;
  /** Whether it is called as `target.name(…)`; the target is the first of `params`. */
  readonly member: boolean;
  readonly params: readonly CelType[];
  readonly result: CelType;
  /** Undefined if the values do not have the types of the overload. */
  readonly call?: (args: readonly CelValue[], context: CallContext) => CelResult | undefined;
  /** Whether it compares numbers of different types. This is disabled until a loop has been checked. */
  readonly crossesTypes?: boolean;
  /** Whether evaluation stops at the first argument that fails; other calls with up to two arguments evaluate both. */
  readonly sequential: boolean;
}

/** A parameter: the type for the checker, and the values that the hub accepts at run time. */
export interface Parameter<T extends CelValue = CelValue> {
  readonly type: CelType;
  accepts(value: CelValue): value is T;
}

type ValuesOf<P extends readonly Parameter[]> = {
  -readonly [I in keyof P]: P[I] extends Parameter<infer T> ? T : never;
};

function parameter<T extends CelValue>(
  type: CelType,
  accepts: (value: CelValue) => value is T,
): Parameter<T> {
  return { type, accepts };
}

export const bool = parameter(boolType, (value) => typeof value === 'boolean');
export const bytes = parameter(bytesType, (value) => value instanceof Uint8Array);
export const double = parameter(doubleType, (value) => typeof value === 'number');
export const duration = parameter(durationType, (value) => value instanceof CelDuration);
export const int = parameter(intType, (value) => typeof value === 'bigint');
export const text = parameter(stringType, (value) => typeof value === 'string');
export const timestamp = parameter(timestampType, (value) => value instanceof CelTimestamp);
export const uint = parameter(uintType, (value) => value instanceof CelUint);
export const dyn = parameter(dynType, (_): _ is CelValue => true);

/** Returns a parameter of any one type; it is the same type wherever the name occurs in an overload. */
export function anyOf(name: string): Parameter {
  return parameter(typeParam(name), (_): _ is CelValue => true);
}

export function optionalOf(value: Parameter): Parameter<CelOptional> {
  return parameter(optionalType(value.type), (candidate) => candidate instanceof CelOptional);
}

/** Returns a list parameter; at run time only the first element is checked. */
export function listOf(element: Parameter): Parameter<CelList> {
  return parameter(listType(element.type), (value): value is CelList => {
    if (!(value instanceof CelList)) return false;
    const [first] = value.anyOrder;
    return first === undefined || element.accepts(first);
  });
}

export function mapOf(key: Parameter, value: Parameter): Parameter<CelMap> {
  return parameter(mapType(key.type, value.type), (candidate) => candidate instanceof CelMap);
}

/** Returns a parameter of a library's own value class. */
export function instanceOf<T extends CelValue>(
  type: CelType,
  constructor: abstract new (...args: never[]) => T,
) {
  return parameter(type, (value): value is T => value instanceof constructor);
}

/** Returns an overload of a function: `name(…)`. */
export function overload<const P extends readonly Parameter[]>(
  id: string,
  params: P,
  result: CelType,
  implement: (...args: ValuesOf<P>) => CelResult,
): Overload {
  return declare(id, params, result, implement, { member: false });
}

/** Returns an overload of a method: `target.name(…)`; the target is the first parameter. */
export function method<const P extends readonly Parameter[]>(
  id: string,
  params: P,
  result: CelType,
  implement: (...args: ValuesOf<P>) => CelResult,
): Overload {
  return declare(id, params, result, implement, { member: true });
}

function declare<const P extends readonly Parameter[]>(
  id: string,
  params: P,
  result: CelType,
  implement: (...args: ValuesOf<P>) => CelResult,
  { member }: { member: boolean },
): Overload {
  return {
    id,
    member,
    params: params.map((param) => param.type),
    result,
    sequential: params.length > 2,
    call: (args) =>
      args.length === params.length && params.every((param, index) => accepts(param, args[index]))
        ? implement(...(args as ValuesOf<P>))
        : undefined,
  };
}

function accepts(param: Parameter, value: CelValue | undefined): boolean {
  return value !== undefined && param.accepts(value);
}

/** Returns an overload that the function as a whole, or the evaluator itself, implements. */
export function signature(id: string, params: readonly Parameter[], result: CelType): Overload {
  return { id, member: false, params: params.map((param) => param.type), result, sequential: false };
}

/** Returns the same for a method. */
export function methodSignature(id: string, params: readonly Parameter[], result: CelType): Overload {
  return { ...signature(id, params, result), member: true };
}

export function noSuchOverloadOf(name: string, args: readonly CelValue[]): CelError {
  return new CelError(`no such overload: ${name}(${args.map(typeName).join(', ')})`);
}
