/**
 * Kubernetes quantities (`16Gi`, `3920m`, `1e3`) as k8s.io/apimachinery's `resource.Quantity` reads, computes and
 * prints them.
 *
 * A number is `unscaled × 10^exponent`, exact. Go holds it either in an int64 with a scale or, where that does not fit,
 * in a decimal of any size; which of the two decides whether `asInteger` answers and how `approximateFloat` rounds, so
 * it is kept in `decimal`.
 */
export interface Quantity {
  readonly unscaled: bigint;
  readonly exponent: number;
  /** Whether Go holds it as `inf.Dec` instead of an int64 with a scale. */
  readonly decimal: boolean;
  readonly format: QuantityFormat;
  /** The parsed text, if it is canonical. Go keeps it then. */
  readonly text?: string;
}

/** The family of suffixes that a quantity is printed with: `16G`, `16Gi` or `16e9`. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** A quantity, or why the text is not one, in the words of the API server. */
export type ParsedQuantity =
  | { readonly quantity: Quantity; readonly error?: undefined }
  | { readonly quantity?: undefined; readonly error: string };

const wrongFormat =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const wrongNumber = 'unable to parse numeric part of quantity';
const wrongSuffix = "unable to parse quantity's suffix";

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

/** The smallest unit that a quantity can hold; finer values are rounded up to it. */
const nano = -9;
/** The digits that always fit an int64 (`maxInt64Factors`). */
const int64Digits = 18;
/** The maximum number of digits. Go would write out longer numbers, in gigabytes. */
const largestExponent = 1_000_000;

const decimalSuffixes: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const binarySuffixes: ReadonlyMap<string, number> = new Map([
  ['Ki', 10],
  ['Mi', 20],
  ['Gi', 30],
  ['Ti', 40],
  ['Pi', 50],
  ['Ei', 60],
]);
const suffixOfDecimal = new Map([...decimalSuffixes].map(([suffix, exponent]) => [exponent, suffix]));
const suffixOfBinary = new Map([...binarySuffixes].map(([suffix, exponent]) => [exponent, suffix]));

/** Sign, digits, fraction and the rest; every part may be empty, as in `parseQuantityString`: `-` is zero. */
const shape = /^([+-]?)(\d*)(?:\.(\d*))?(.*)$/s;
const suffixShape = /^[eEinumkKMGTP]*(?:[-+]?\d*)$/;

/** Reads a quantity as the API server does. Numbers of JSON or YAML are passed as their text. */
export function parseQuantity(text: string): ParsedQuantity {
  if (text === '') return { error: wrongFormat };
  if (text === '0')
    return { quantity: { unscaled: 0n, exponent: 0, decimal: false, format: 'DecimalSI', text } };

  const [, sign = '', digits = '', fraction = '', suffix = ''] = shape.exec(text) ?? [];
  if (!suffixShape.test(suffix)) return { error: wrongFormat };
  const unit = interpretSuffix(suffix);
  if (unit === undefined) return { error: wrongSuffix };

  const significant = digits.replace(/^0+/, '') || '0';
  const negative = sign === '-';
  const quick = parseInt64(text, significant, fraction, negative, unit);
  if (quick !== undefined) return { quantity: quick };
  // the decimal parser, unlike the quick one, requires a digit
  if (digits === '' && fraction === '') return { error: wrongNumber };
  if (unit.exponent > largestExponent) return { error: wrongNumber };
  return { quantity: parseDecimal(BigInt(significant + fraction), fraction.length, negative, unit) };
}

interface Unit {
  readonly format: QuantityFormat;
  /** The exponent of ten, or of two for `BinarySI`. */
  readonly exponent: number;
}

function interpretSuffix(suffix: string): Unit | undefined {
  const decimal = decimalSuffixes.get(suffix);
  if (decimal !== undefined) return { format: 'DecimalSI', exponent: decimal };
  const binary = binarySuffixes.get(suffix);
  if (binary !== undefined) return { format: 'BinarySI', exponent: binary };
  if (!/^[eE][-+]?\d+$/.test(suffix)) return undefined;
  const exponent = BigInt(suffix.slice(suffix[1] === '+' ? 2 : 1));
  if (exponent < minInt64 || exponent > maxInt64) return undefined;
  // as Go's int32(parsed)
  return { format: 'DecimalExponent', exponent: Number(BigInt.asIntN(32, exponent)) };
}

/** Implements the fast path of `ParseQuantity`: values that certainly fit an int64. */
function parseInt64(
  text: string,
  digits: string,
  fraction: string,
  negative: boolean,
  unit: Unit,
): Quantity | undefined {
  const binary = unit.format === 'BinarySI';
  const room = binary
    ? 15 - digits.length - Math.trunc((unit.exponent * 3) / 10) - 1
    : int64Digits - digits.length - fraction.length;
  const exponent = (binary ? 0 : unit.exponent) - fraction.length;
  if (room < 0 || exponent < nano || (binary && fraction !== '')) return undefined;

  const shifted = digits + fraction;
  const value = BigInt(shifted);
  const magnitude = binary ? value << BigInt(unit.exponent) : value;
  if (magnitude > maxInt64) return undefined;
  const canonical = binary
    ? (value & 7n) !== 0n
    : exponent % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0');
  const unscaled = negative ? -magnitude : magnitude;
  const quantity = { unscaled, exponent, decimal: false, format: unit.format };
  return canonical ? { ...quantity, text } : quantity;
}

/** Implements the other path: values are rounded up to a billionth, binary values are capped. */
function parseDecimal(digits: bigint, places: number, negative: boolean, unit: Unit): Quantity {
  const binary = unit.format === 'BinarySI';
  let unscaled = binary ? digits << BigInt(unit.exponent) : digits;
  let exponent = (binary ? 0 : unit.exponent) - places;
  if (unscaled !== 0n) {
    unscaled = roundAwayFromZero(unscaled, exponent, nano);
    exponent = nano;
  }
  let format = unit.format;
  if (binary && unscaled > atExponent(maxInt64, 0, exponent)) {
    unscaled = maxInt64;
    exponent = 0;
  }
  if (binary && unscaled > 0n && unscaled < atExponent(1n, 0, exponent)) format = 'DecimalSI';
  return { unscaled: negative ? -unscaled : unscaled, exponent, decimal: true, format };
}

/** Returns the text that the API server stores and returns (Go's `String()`): `15.5Gi` becomes `15872Mi`, `1000m` becomes `1`. */
export function canonicalString(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  const { unscaled, exponent } = quantity;
  if (unscaled === 0n) return '0';

  if (quantity.format === 'BinarySI') {
    const whole = roundAwayFromZero(unscaled, exponent, 0);
    const exact = exponent >= 0 || atExponent(whole, 0, exponent) === unscaled;
    if (exact && (whole <= -1024n || whole >= 1024n)) return printBinary(whole);
  }
  return printDecimal(unscaled, exponent, quantity.format === 'DecimalExponent');
}

function printBinary(whole: bigint): string {
  let [number, exponent] = [whole, 0];
  while (number % 1024n === 0n) {
    number /= 1024n;
    exponent += 10;
  }
  // a power without a suffix is printed without one, here and below: as suffixHandler.constructBytes
  return `${number}${suffixOfBinary.get(exponent) ?? ''}`;
}

function printDecimal(unscaled: bigint, scale: number, asExponent: boolean): string {
  let [number, exponent] = [unscaled, scale];
  while (number % 10n === 0n) {
    number /= 10n;
    exponent += 1;
  }
  while (exponent % 3 !== 0) {
    number *= 10n;
    exponent -= 1;
  }
  if (asExponent) return exponent === 0 ? `${number}` : `${number}e${exponent}`;
  return `${number}${suffixOfDecimal.get(exponent) ?? ''}`;
}

/** Returns the quantity of an integer, as `resource.NewQuantity(value, DecimalExponent)`. */
export function fromInteger(value: bigint): Quantity {
  return { unscaled: value, exponent: 0, decimal: false, format: 'DecimalExponent' };
}

/** -1, 0 or 1. */
export function signOf(quantity: Quantity): -1 | 0 | 1 {
  if (quantity.unscaled === 0n) return 0;
  return quantity.unscaled > 0n ? 1 : -1;
}

/** Returns -1 if `a` is smaller, 0 if both are the same number, 1 if `a` is larger. */
export function compareTo(a: Quantity, b: Quantity): -1 | 0 | 1 {
  const exponent = Math.min(a.exponent, b.exponent);
  const [left, right] = [
    atExponent(a.unscaled, a.exponent, exponent),
    atExponent(b.unscaled, b.exponent, exponent),
  ];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Returns the sum; it is printed in the format of `a`, or of `b` if `a` is zero. */
export function add(a: Quantity, b: Quantity): Quantity {
  const format = a.unscaled === 0n ? b.format : a.format;
  if (!a.decimal && !b.decimal) {
    const sum = addInt64(a, b);
    if (sum !== undefined) return { ...sum, decimal: false, format };
  }
  const exponent = Math.min(a.exponent, b.exponent);
  const unscaled =
    atExponent(a.unscaled, a.exponent, exponent) + atExponent(b.unscaled, b.exponent, exponent);
  return { unscaled, exponent, decimal: true, format };
}

/** Returns the difference `a - b`. */
export function subtract(a: Quantity, b: Quantity): Quantity {
  return add(a, { ...b, unscaled: -b.unscaled });
}

/** As `int64Amount.Add`; undefined if an int64 overflows in an intermediate step. */
function addInt64(a: Quantity, b: Quantity): { unscaled: bigint; exponent: number } | undefined {
  if (b.unscaled === 0n) return { unscaled: a.unscaled, exponent: a.exponent };
  if (a.unscaled === 0n) return { unscaled: b.unscaled, exponent: b.exponent };
  const exponent = Math.min(a.exponent, b.exponent);
  const left = scaleInt64(a, exponent);
  const right = scaleInt64(b, exponent);
  if (left === undefined || right === undefined || !fitsInt64(left + right)) return undefined;
  return { unscaled: left + right, exponent };
}

function scaleInt64(quantity: Quantity, exponent: number): bigint | undefined {
  // 10^19 is beyond an int64: no need to compute a power that can be as large as 10^2147483647
  if (quantity.exponent - exponent > int64Digits) return undefined;
  const scaled = atExponent(quantity.unscaled, quantity.exponent, exponent);
  return fitsInt64(scaled) ? scaled : undefined;
}

function fitsInt64(value: bigint): boolean {
  return value >= minInt64 && value <= maxInt64;
}

/** Returns the number as an int64 (Go's `AsInt64`); undefined for fractions and for numbers that Go holds as a decimal. */
export function asInteger(quantity: Quantity): bigint | undefined {
  if (quantity.decimal || quantity.exponent < 0) return undefined;
  if (quantity.unscaled === 0n) return 0n;
  return scaleInt64(quantity, 0);
}

/**
 * Returns the same float as Go's `AsApproximateFloat64`. It is not the nearest one, because a negative power of ten is multiplied
 * as the reciprocal. `15.5Gi` returns 16642998272.000002.
 */
export function approximateFloat(quantity: Quantity): number {
  const base = Number(quantity.unscaled);
  return quantity.exponent === 0 ? base : base * powerOfTen(quantity.exponent);
}

/** As Go's `math.Pow10`: products of two table entries, rounded as such. */
function powerOfTen(exponent: number): number {
  if (exponent > 308) return Infinity;
  if (exponent < -323) return 0;
  const steps = Math.trunc(Math.abs(exponent) / 32) * 32;
  const rest = Number(`1e${Math.abs(exponent) % 32}`);
  return exponent < 0 ? Number(`1e-${steps}`) / rest : Number(`1e${steps}`) * rest;
}

/** Returns the same number with a smaller exponent. */
function atExponent(unscaled: bigint, exponent: number, smaller: number): bigint {
  return unscaled * 10n ** BigInt(exponent - smaller);
}

function roundAwayFromZero(unscaled: bigint, exponent: number, to: number): bigint {
  if (exponent >= to) return atExponent(unscaled, exponent, to);
  const divisor = 10n ** BigInt(to - exponent);
  const quotient = unscaled / divisor;
  if (unscaled % divisor === 0n) return quotient;
  return unscaled < 0n ? quotient - 1n : quotient + 1n;
}
