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
} from './types.ts';
import type { CelType } from './types.ts';
import { CelDuration, CelList, CelMap, CelOptional, CelTimestamp, CelUint, typeName } from './value.ts';
import { CelError } from './error.ts';
import type { CelResult, CelValue } from './value.ts';
import type { ChainColumns } from './chain-columns.ts';

/** What functions can ask for besides their arguments. */
export interface CallContext {
  /** The entries of an AddOnPlacementScore; undefined where there is no such object. */
  readonly scores: (clusterName: string, name: string) => readonly Score[] | undefined;
  /** What chains of constant steps lead to, kept for other expressions; `row` is the number of this value of the variables. */
  readonly chains?: ChainColumns;
  readonly row?: number;
}

/** One entry of an AddOnPlacementScore. */
export interface Score {
  readonly name: string;
  readonly value: number;
}

/** A function or method under one name, with its overloads in the order in which cel-go tries them. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** Where one implementation serves all overloads, by the values and without looking at the declared types. */
  readonly implement?: (args: readonly CelValue[]) => CelResult;
}

export interface Overload {
  readonly id: string;
  /** Whether it is called as `target.name(…)`; the target is the first of `params`. */
  readonly member: boolean;
  readonly params: readonly CelType[];
  readonly result: CelType;
  /** Undefined where the values are not of the types that the overload takes. */
  readonly call?: (args: readonly CelValue[], context: CallContext) => CelResult | undefined;
  /** Whether it compares numbers of different types, which is off until a loop has been checked. */
  readonly crossesTypes?: boolean;
  /** Whether evaluation stops at the first argument that fails; others with up to two evaluate both. */
  readonly sequential: boolean;
}

/** A parameter: the type that the checker sees, and the values that the hub accepts for it at run time. */
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

/** A parameter of any one type, the same wherever the name stands in an overload. */
export function anyOf(name: string): Parameter {
  return parameter(typeParam(name), (_): _ is CelValue => true);
}

export function optionalOf(value: Parameter): Parameter<CelOptional> {
  return parameter(optionalType(value.type), (candidate) => candidate instanceof CelOptional);
}

/** A list; at run time only its first element is looked at. */
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

/** A parameter of a library's own class of values. */
export function instanceOf<T extends CelValue>(
  type: CelType,
  constructor: abstract new (...args: never[]) => T,
) {
  return parameter(type, (value): value is T => value instanceof constructor);
}

/** An overload of a function: `name(…)`. */
export function overload<const P extends readonly Parameter[]>(
  id: string,
  params: P,
  result: CelType,
  implement: (...args: ValuesOf<P>) => CelResult,
): Overload {
  return declare(id, params, result, implement, { member: false });
}

/** An overload of a method: `target.name(…)`, the target being the first parameter. */
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

/** An overload whose implementation is that of the function as a whole, or of the evaluator itself. */
export function signature(id: string, params: readonly Parameter[], result: CelType): Overload {
  return { id, member: false, params: params.map((param) => param.type), result, sequential: false };
}

/** The same for a method. */
export function methodSignature(id: string, params: readonly Parameter[], result: CelType): Overload {
  return { ...signature(id, params, result), member: true };
}

export function noSuchOverloadOf(name: string, args: readonly CelValue[]): CelError {
  return new CelError(`no such overload: ${name}(${args.map(typeName).join(', ')})`);
}
