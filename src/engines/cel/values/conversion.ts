import { intOverflow, uintOverflow } from './arithmetic.ts';
import { formatGeneral } from '../../../base/go/format-float.ts';
import { formatDuration, formatTimestamp, parseDuration, parseTimestamp, timestampAt } from './time.ts';
import { CelDuration, CelTimestamp, CelUint, maxInt, maxUint, minInt, typeName } from './value.ts';
import { CelError } from '../error.ts';
import type { CelResult, CelValue } from './value.ts';

function conversionError(value: CelValue, to: string): CelError {
  return new CelError(`type conversion error from '${typeName(value)}' to '${to}'`);
}

/** `int(value)` */
export function toInt(value: CelValue): CelResult {
  if (typeof value === 'bigint') return value;
  if (value instanceof CelUint) return value.value > maxInt ? intOverflow : value.value;
  if (typeof value === 'number')
    return value > -(2 ** 63) && value < 2 ** 63 ? BigInt(Math.trunc(value)) : intOverflow;
  if (value instanceof CelTimestamp) return BigInt(value.seconds);
  if (value instanceof CelDuration) return value.nanoseconds;
  if (typeof value === 'string' && /^[+-]?\d+$/.test(value)) {
    const parsed = value.startsWith('-') ? -BigInt(value.slice(1)) : BigInt(value.replace(/^\+/, ''));
    if (parsed >= minInt && parsed <= maxInt) return parsed;
  }
  return conversionError(value, 'int');
}

/** `uint(value)` */
export function toUint(value: CelValue): CelResult {
  if (value instanceof CelUint) return value;
  if (typeof value === 'bigint') return value < 0n ? uintOverflow : new CelUint(value);
  if (typeof value === 'number')
    return value >= 0 && value < 2 ** 64 ? new CelUint(BigInt(Math.trunc(value))) : uintOverflow;
  if (typeof value === 'string' && /^\d+$/.test(value)) {
    const parsed = BigInt(value);
    if (parsed <= maxUint) return new CelUint(parsed);
  }
  return conversionError(value, 'uint');
}

/** `double(value)` */
export function toDouble(value: CelValue): CelResult {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof CelUint) return Number(value.value);
  return (typeof value === 'string' ? parseFloat64(value) : undefined) ?? conversionError(value, 'double');
}

/** As Go's `strconv.ParseFloat`; undefined if it fails, including for numbers that are too large. */
function parseFloat64(text: string): number | undefined {
  if (/^[+-]?(?:inf|infinity)$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return NaN;
  const plain = withoutUnderscores(text);
  if (plain === undefined) return undefined;
  const hex = /^([+-]?)0x([0-9a-f]*)(?:\.([0-9a-f]*))?p([+-]?\d+)$/i.exec(plain);
  if (hex !== null) return parseHexFloat(hex);
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(plain)) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}

function parseHexFloat([, sign = '', whole = '', fraction = '', power = '0']: RegExpExecArray):
  number | undefined {
  if (whole === '' && fraction === '') return undefined;
  const magnitude = Number(BigInt(`0x${whole}${fraction}`)) * 2 ** (Number(power) - 4 * fraction.length);
  if (!Number.isFinite(magnitude)) return undefined;
  return sign === '-' ? -magnitude : magnitude;
}

/** Underscores may be between digits, and after `0x`. */
function withoutUnderscores(text: string): string | undefined {
  if (!text.includes('_')) return text;
  const digits = /^[+-]?0x/i.test(text) ? '[0-9a-f]' : String.raw`\d`;
  // neither first nor last, and only between digits
  const misplaced = new RegExp(`^_|_$|(?:^|[^${digits.replace(/[[\]]/g, '')}x])_|_(?!${digits})`, 'i');
  return misplaced.test(text) ? undefined : text.replaceAll('_', '');
}

/** `bool(value)` */
export function toBool(value: CelValue): CelResult {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    if (/^(?:1|t|T|TRUE|true|True)$/.test(value)) return true;
    if (/^(?:0|f|F|FALSE|false|False)$/.test(value)) return false;
  }
  return conversionError(value, 'bool');
}

/** `string(value)` */
export function toText(value: CelValue): CelResult {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return formatGeneral(value);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelDuration) return formatDuration(value);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof Uint8Array) return decodeUtf8(value);
  return conversionError(value, 'string');
}

function decodeUtf8(bytes: Uint8Array): CelResult {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

/** `bytes(value)` */
export function toBytes(value: CelValue): CelResult {
  if (value instanceof Uint8Array) return value;
  return typeof value === 'string' ? new TextEncoder().encode(value) : conversionError(value, 'bytes');
}

/** `duration(value)` */
export function toDuration(value: CelValue): CelResult {
  if (value instanceof CelDuration) return value;
  const parsed = typeof value === 'string' ? parseDuration(value) : undefined;
  return parsed ?? conversionError(value, 'google.protobuf.Duration');
}

/** `timestamp(value)`; numbers are seconds since 1970 */
export function toTimestamp(value: CelValue): CelResult {
  if (value instanceof CelTimestamp) return value;
  if (typeof value === 'bigint') return timestampAt(Number(value));
  const parsed = typeof value === 'string' ? parseTimestamp(value) : undefined;
  return parsed ?? conversionError(value, 'google.protobuf.Timestamp');
}
