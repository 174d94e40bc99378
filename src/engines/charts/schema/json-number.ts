import { Integer } from '../../gotemplate/index.ts';
import { SchemaError } from './schema-error.ts';
import type { SchemaWork } from './schema-work.ts';

/** A number as its digits times ten to the power of `exponent`. The digits begin and end with another one than 0, or are 0. */
interface Decimal {
  readonly isNegative: boolean;
  /** A text, because a schema can have a number with a million digits. */
  readonly digits: string;
  readonly exponent: number;
}

/** A number of a schema that JavaScript would write in another way, such as `1.0`. */
export class JsonNumber {
  readonly text: string;
  /** The nearest double. */
  readonly value: number;
  /** The exact value. Undefined if Go's big.Rat refuses the exponent. */
  readonly decimal: Decimal | undefined;

  private constructor(text: string) {
    this.text = text;
    this.value = Number(text);
    this.decimal = decimalOfText(text);
  }

  /** Returns a number of JSON. */
  static of(text: string): number | JsonNumber {
    const value = Number(text);
    return String(value) === text ? value : new JsonNumber(text);
  }
}

/** A number of values or of a schema. */
export type Numeric = number | JsonNumber | Integer;

/** Whether a value is a number. */
export function isNumeric(value: unknown): value is Numeric {
  return typeof value === 'number' || value instanceof JsonNumber || value instanceof Integer;
}

/** Whether a number has no fraction. 1.0 has none. */
export function isWhole(value: Numeric): boolean {
  if (typeof value === 'number') return Number.isInteger(value);
  const decimal = decimalOf(value);
  return decimal !== undefined && decimal.exponent >= 0;
}

/** Returns the nearest double. */
export function doubleOf(value: Numeric): number {
  return typeof value === 'number' ? value : Number(value.value);
}

/** Returns a text that is the same for equal numbers, and differs for others. */
export function numberKey(value: Numeric): string {
  if (typeof value === 'number') return String(value);
  const decimal = decimalOf(value);
  if (decimal === undefined) return (value as JsonNumber).text;
  const double = doubleOf(value);
  if (isSameNumber(double, value)) return String(double);
  return `${decimal.isNegative ? '-' : ''}${decimal.digits}e${decimal.exponent}`;
}

/** Whether numbers are equal as they are written. */
export function isSameNumber(a: Numeric, b: Numeric): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a === b;
  const [left, right] = [decimalOf(a), decimalOf(b)];
  return (
    left !== undefined &&
    left.digits === right?.digits &&
    left.exponent === right.exponent &&
    left.isNegative === right.isNegative
  );
}

/**
 * Returns a negative number if `a` is less than `b` as they are written, 0 if they are equal.
 *
 * @throws {SchemaError} for a number with an exponent that Go refuses
 */
export function compareNumbers(a: Numeric, b: Numeric, work: SchemaWork): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : Number(a > b);
  const [left, right] = [exact(a), exact(b)];
  const signs = signOf(left) - signOf(right);
  if (signs !== 0) return signs;
  work.spend(Math.min(left.digits.length, right.digits.length) >> 5);
  // Digits after the same magnitude are ordered as texts are.
  const order =
    magnitudeOf(left) - magnitudeOf(right) ||
    (left.digits < right.digits ? -1 : Number(left.digits > right.digits));
  return order * signOf(left);
}

/**
 * Whether a number is a multiple of another one, as they are written: 0.3 is one of 0.1.
 *
 * @throws {SchemaError} for a number with an exponent that Go refuses
 */
export function isMultiple(value: Numeric, factor: Numeric, work: SchemaWork): boolean {
  const [a, b] = [exact(value), exact(factor)];
  if (a.digits === '0') return true;
  const length = b.digits.length;
  const shift = a.exponent - b.exponent;
  if (shift < 0 ? -shift > a.digits.length : a.digits.length + shift < length) return false;
  work.spend(2 + a.digits.length / 2 + length ** 1.6 / 10);
  const [dividend, divisor] = [BigInt(a.digits), BigInt(b.digits)];
  return shift < 0
    ? dividend % (divisor * 10n ** BigInt(-shift)) === 0n
    : (dividend * powerOfTen(shift, divisor)) % divisor === 0n;
}

/** Returns the remainder of a power of ten. */
function powerOfTen(exponent: number, modulus: bigint): bigint {
  let result = 1n;
  let base = 10n % modulus;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = (result * base) % modulus;
    base = (base * base) % modulus;
  }
  return result;
}

function exact(value: Numeric): Decimal {
  const decimal = decimalOf(value);
  if (decimal === undefined) throw new SchemaError('a number has an exponent that is too large');
  return decimal;
}

function decimalOf(value: Numeric): Decimal | undefined {
  if (value instanceof JsonNumber) return value.decimal;
  if (value instanceof Integer) return decimalOfText(value.value.toString());
  return Number.isFinite(value) ? decimalOfText(value.toExponential()) : undefined;
}

/** The largest power of five that Go's big.Rat reads. */
const mostExponent = 1_000_000;

function decimalOfText(text: string): Decimal | undefined {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const own = Number(exponent) - fraction.length;
  if (Math.abs(own) > mostExponent) return undefined;
  const all = `${whole}${fraction}`.replace(/^0+/, '');
  if (all === '') return { isNegative: false, digits: '0', exponent: 0 };
  const digits = all.replace(/(?<!0)0+$/, '');
  return { isNegative: text.startsWith('-'), digits, exponent: own + all.length - digits.length };
}

function signOf({ digits, isNegative }: Decimal): number {
  return isNegative ? -1 : Number(digits !== '0');
}

/** Returns how many digits a number has before the point. */
function magnitudeOf({ digits, exponent }: Decimal): number {
  return digits.length + exponent;
}
