import {
  FunctionError,
  formatValue,
  GoObject,
  Integer,
  NamedInteger,
  TemplateLimitError,
  TypedList,
  type Value,
} from '../../gotemplate/index.ts';
import { parseFloatText, parseIntegerText, textOf } from '../../gotemplate/index.ts';

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

/** Returns an `int`. */
export function goInt(value: number | bigint): Integer {
  return new Integer(BigInt.asIntN(64, BigInt(value)));
}

/** Returns an `int64`. */
export function goInt64(value: number | bigint): Integer {
  return new Integer(BigInt.asIntN(64, BigInt(value)), 'int64');
}

/** Returns a `[]string`. */
export function textList(items: readonly string[]): TypedList {
  return new TypedList('[]string', items);
}

/** Returns a value as an integer, or 0 if it cannot be converted. As cast.ToInt64. */
export function toInt64(value: Value): bigint {
  if (isDuration(value)) return 0n;
  if (value instanceof Integer) return BigInt.asIntN(64, value.value);
  if (typeof value === 'number') return truncated(value);
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value !== 'string') return 0n;
  const parsed = parseIntegerText(value.replace(/^(.*)\.0+$/s, '$1'));
  return parsed === undefined || parsed < minInt64 || parsed > maxInt64 ? 0n : parsed;
}

/** cast converts no integers of other types, except months and weekdays. */
function isDuration(value: Value): boolean {
  return value instanceof NamedInteger && value.type === 'time.Duration';
}

/** As Go's conversion on amd64: what no int64 can hold becomes the least one. */
function truncated(value: number): bigint {
  return Number.isFinite(value) && value >= -(2 ** 63) && value < 2 ** 63
    ? BigInt(Math.trunc(value))
    : minInt64;
}

/** Returns a value as a float64, or 0 if it cannot be converted. As cast.ToFloat64. */
export function toFloat64(value: Value): number {
  if (isDuration(value)) return 0;
  if (value instanceof Integer) return Number(value.value);
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string') return 0;
  const special = /^([-+]?)(?:(inf|infinity)|(nan))$/i.exec(value);
  if (special !== null)
    return special[3] !== undefined
      ? special[1] === ''
        ? NaN
        : 0
      : special[1] === '-'
        ? -Infinity
        : Infinity;
  return parseFloatText(value) ?? 0;
}

/** Returns the text of any value. As sprig's toString. */
export function toText(value: Value): string {
  if (typeof value === 'string') return value;
  if (value instanceof TypedList && value.type === '[]uint8')
    return textOf(value.bytes ?? Uint8Array.from(value.items, (item) => Number((item as Integer).value)));
  if (value instanceof GoObject && value.text !== undefined) return value.text;
  return formatValue(value);
}

const largest = 16 * 1024 * 1024;

/** @throws {TemplateLimitError} if a function would make a text that is longer than any output may be */
export function checkLength(length: number): void {
  if (length > largest)
    throw new TemplateLimitError(`a function would make a text of more than ${String(largest)} characters`);
}

/** As strings.Repeat. */
export function repeated(text: string, count: number): string {
  if (count < 0) throw new FunctionError('strings: negative Repeat count');
  checkLength(text.length * count);
  return text.repeat(count);
}

/** The argument of a parameter of type `int`. */
export function intArgument(value: Value): number {
  return Number((value as Integer).value);
}

/** The error of Go for an operation on a nil interface. */
export function nilDereference(): FunctionError {
  return new FunctionError('runtime error: invalid memory address or nil pointer dereference');
}
