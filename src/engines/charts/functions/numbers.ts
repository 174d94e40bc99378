import {
  FunctionError,
  goFunction,
  formatValue,
  TypedList,
  type GoFunction,
  type Value,
} from '../../gotemplate/index.ts';
import { goInt, goInt64, intArgument, toFloat64, toInt64, checkLength } from './conversion.ts';
import { decimalOperation } from './decimal.ts';

type Values = readonly Value[];

function fold(signature: string, combine: (a: bigint, b: bigint) => bigint): GoFunction {
  return goFunction(signature, ([first, ...others]) =>
    goInt64(others.map(toInt64).reduce((a, b) => BigInt.asIntN(64, combine(a, b)), toInt64(first))),
  );
}

function quotient(values: Values, divide: (a: bigint, b: bigint) => bigint): Value {
  const [a = 0n, b = 0n] = values.map(toInt64);
  if (b === 0n) throw new FunctionError('runtime error: integer divide by zero');
  return goInt64(divide(a, b));
}

const floatOf = ([value]: Values): number => toFloat64(value);

/** Arithmetic functions. */
export const numberFunctions: Readonly<Record<string, GoFunction>> = {
  int64: goFunction('any -> int64', ([value]) => goInt64(toInt64(value))),
  int: goFunction('any -> int', ([value]) => goInt(toInt64(value))),
  float64: goFunction('any -> float64', floatOf),
  toDecimal: goFunction('any -> int64', ([value]) => goInt64(octal(formatValue(value ?? null)))),
  add1: goFunction('any -> int64', ([value]) => goInt64(toInt64(value) + 1n)),
  add: goFunction('...any -> int64', (values) => goInt64(values.map(toInt64).reduce((a, b) => a + b, 0n))),
  sub: fold('any, any -> int64', (a, b) => a - b),
  div: goFunction('any, any -> int64', (values) => quotient(values, (a, b) => a / b)),
  mod: goFunction('any, any -> int64', (values) => quotient(values, (a, b) => a % b)),
  mul: fold('any, ...any -> int64', (a, b) => a * b),
  max: fold('any, ...any -> int64', (a, b) => (b > a ? b : a)),
  biggest: fold('any, ...any -> int64', (a, b) => (b > a ? b : a)),
  min: fold('any, ...any -> int64', (a, b) => (b < a ? b : a)),
  maxf: goFunction('any, ...any -> float64', (values) => Math.max(...values.map(toFloat64))),
  minf: goFunction('any, ...any -> float64', (values) => Math.min(...values.map(toFloat64))),
  ceil: goFunction('any -> float64', (values) => Math.ceil(floatOf(values))),
  floor: goFunction('any -> float64', (values) => Math.floor(floatOf(values))),
  round: goFunction('any, int, ...float64 -> float64', ([value, places, on = 0.5]) =>
    rounded(toFloat64(value), intArgument(places), on as number),
  ),
  add1f: goFunction('any -> float64', ([value]) => decimalOperation('+', [toFloat64(value), 1])),
  addf: goFunction('...any -> float64', (values) => decimalOperation('+', [0, ...values.map(toFloat64)])),
  subf: goFunction('any, ...any -> float64', (values) => decimalOperation('-', values.map(toFloat64))),
  mulf: goFunction('any, ...any -> float64', (values) => decimalOperation('*', values.map(toFloat64))),
  divf: goFunction('any, ...any -> float64', (values) => decimalOperation('/', values.map(toFloat64))),
  until: goFunction('int -> []int', ([count], call) => {
    const stop = intArgument(count);
    call.spend(Math.abs(stop));
    return integers(range(0, stop, stop < 0 ? -1 : 1));
  }),
  untilStep: goFunction('int, int, int -> []int', (args, call) => {
    const [start = 0, stop = 0, step = 0] = args.map(intArgument);
    if (step !== 0) call.spend(Math.abs((stop - start) / step));
    return integers(range(start, stop, step));
  }),
  seq: goFunction('...int -> string', (args, call) => {
    const bounds = args.map(intArgument);
    call.spend(Math.abs((bounds.at(-1) ?? 0) - (bounds[0] ?? 0)));
    return sequence(bounds).join(' ');
  }),
};

function integers(values: readonly number[]): TypedList {
  return new TypedList('[]int', values.map(goInt));
}

function range(start: number, stop: number, step: number): number[] {
  const values: number[] = [];
  if (stop < start) {
    if (step < 0) for (let at = start; at > stop; at += step) values.push(at);
  } else if (step > 0) for (let at = start; at < stop; at += step) values.push(at);
  checkLength(values.length);
  return values;
}

/** As the shell's seq. */
function sequence(bounds: readonly number[]): number[] {
  const [first = 0, second = 0, third = 0] = bounds;
  if (bounds.length === 1) return range(1, first + (first < 1 ? -1 : 1), first < 1 ? -1 : 1);
  if (bounds.length === 2) return range(first, second + (second < first ? -1 : 1), second < first ? -1 : 1);
  if (bounds.length !== 3 || (third < first && second > 0)) return [];
  return range(first, third + (third < first ? -1 : 1), second);
}

function octal(text: string): bigint {
  if (!/^[-+]?[0-7]+$/.test(text)) return 0n;
  const value = BigInt(`0o${text.replace(/^[-+]/, '')}`);
  const signed = text.startsWith('-') ? -value : value;
  return BigInt.asIntN(64, signed) === signed ? signed : 0n;
}

function rounded(value: number, places: number, on: number): number {
  const power = 10 ** places;
  const digit = power * value;
  const fraction = digit - Math.trunc(digit);
  return (fraction >= on ? Math.ceil(digit) : Math.floor(digit)) / power;
}
