import { compareUtf8 } from '../../../base/json/go-json.ts';
import type { CelBehaviour } from '../behaviour.ts';
import { formatDouble, formatFixed, formatScientific } from '../../../base/go/format-float.ts';
import { formatDuration, formatTimestamp } from '../values/time.ts';
import {
  CelDuration,
  CelList,
  CelMap,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  typeName,
} from '../values/value.ts';
import { CelError } from '../error.ts';
import type { CelResult, CelValue } from '../values/value.ts';

/** One `%…` of a format string. */
export interface FormatClause {
  readonly verb: 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o';
  readonly precision: number;
}

const defaultPrecision = 6;

/**
 * Parses a format string and inserts the result of `format` for each argument. An error of the string itself is returned as a
 * text.
 */
export function expandFormat(
  format: string,
  argCount: number,
  maxPrecision: number,
  formatArgument: (index: number, clause: FormatClause) => string | CelError,
): { readonly text: string; readonly used: number } | CelError {
  let text = '';
  let used = 0;
  let position = 0;
  while (position < format.length) {
    const percent = format.indexOf('%', position);
    if (percent < 0) break;
    text += format.slice(position, percent);
    if (format[percent + 1] === '%') {
      text += '%';
      position = percent + 2;
      continue;
    }
    if (percent + 1 >= format.length) return new CelError('unexpected end of string');
    if (used >= argCount) return new CelError(`index ${used} out of range`);
    const clause = parseClause(format.slice(percent + 1), maxPrecision);
    if ('error' in clause) return new CelError(`could not parse formatting clause: ${clause.error}`);
    const formatted = formatArgument(used, clause);
    if (formatted instanceof CelError) return new CelError(`error during formatting: ${formatted.message}`);
    text += formatted;
    used += 1;
    position = percent + 1 + clause.length;
  }
  return { text: text + format.slice(position), used };
}

function parseClause(
  text: string,
  maxPrecision: number,
): (FormatClause & { length: number }) | { error: string } {
  const precision = /^\.(\d*)/.exec(text);
  const rest = text.slice(precision?.[0].length ?? 0);
  if (precision !== null) {
    const failed = (message: string) => ({ error: `error while parsing precision: ${message}` });
    if (rest === '') return failed('could not find end of precision specifier');
    if (precision[1] === '')
      return failed('error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax');
    const value = Number(precision[1]);
    if (value > maxPrecision)
      return failed(`precision ${value} exceeds maximum allowed precision ${maxPrecision}`);
  }
  const verb = /^[sdfebxXo]/.exec(rest)?.[0];
  if (!isVerb(verb)) return { error: `unrecognized formatting clause "${rest.slice(0, 1)}"` };
  return {
    verb,
    precision: precision === null ? defaultPrecision : Number(precision[1]),
    length: text.length - rest.length + 1,
  };
}

function isVerb(text: string | undefined): text is FormatClause['verb'] {
  return text !== undefined && 'sdfebxXo'.includes(text);
}

/** `string.format(args)` */
export function formatString(format: string, args: CelList, behaviour: CelBehaviour): CelResult {
  const result = expandFormat(format, args.size, behaviour.maxPrecision, (index, clause) => {
    const value = args.elements[index] ?? null;
    const complaint = behaviour.formatsIntegersAsDoubles ? undefined : complainOfInteger(value, clause);
    return complaint ?? formatValue(value, clause);
  });
  return result instanceof CelError ? result : result.text;
}

/** Returns the output of Go's fmt for an integer and a verb that does not support integers. */
function complainOfInteger(value: CelValue, { verb, precision }: FormatClause): string | undefined {
  if (verb !== 'f' && verb !== 'e') return undefined;
  const isUint = value instanceof CelUint;
  const integer = isUint ? value.value : value;
  if (typeof integer !== 'bigint') return undefined;
  // zero has no digit with a precision of zero; %e has a width of one
  const digits = integer === 0n && precision === 0 ? '' : String(integer < 0n ? -integer : integer);
  const text = (integer < 0n ? '-' : '') + digits.padStart(precision, '0');
  return `%!${verb}(${isUint ? 'uint64' : 'int64'}=${verb === 'e' ? text.padStart(1) : text})`;
}

/** The error of each verb for unsupported types. It lists the supported types. */
export const verbErrors: Readonly<Record<FormatClause['verb'], string>> = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ',
  d: 'decimal clause can only be used on ints, uints, and doubles, was given ',
  f: 'fixed-point clause can only be used on ints, uints, and doubles, was given ',
  e: 'scientific clause can only be used on ints, uints, and doubles, was given ',
  b: 'only ints, uints, and bools can be formatted as binary, was given ',
  x: 'only ints, uints, bytes, and strings can be formatted as hex, was given ',
  X: 'only ints, uints, bytes, and strings can be formatted as hex, was given ',
  o: 'octal clause can only be used on ints and uints, was given ',
};

function formatValue(value: CelValue, { verb, precision }: FormatClause): string | CelError {
  const integer = value instanceof CelUint ? value.value : value;
  const formatted = formatWith(verb, precision, value, integer);
  return formatted ?? new CelError(verbErrors[verb] + typeName(value));
}

function formatWith(
  verb: FormatClause['verb'],
  precision: number,
  value: CelValue,
  integer: CelValue,
): string | CelError | undefined {
  switch (verb) {
    case 's':
      return formatAny(value);
    case 'd':
      return typeof value === 'number' ? formatInfinite(value) : integerText(integer, 10);
    case 'f':
    case 'e': {
      const number = typeof integer === 'bigint' ? Number(integer) : value;
      if (typeof number !== 'number') return undefined;
      return verb === 'f' ? formatFixed(number, precision) : formatScientific(number, precision);
    }
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : integerText(integer, 2);
    case 'x':
      return formatHex(value, integer);
    case 'X':
      return formatHex(value, integer)?.toUpperCase();
    case 'o':
      break;
  }
  return integerText(integer, 8);
}

function integerText(value: CelValue, base: number): string | undefined {
  return typeof value === 'bigint' ? value.toString(base) : undefined;
}

function formatHex(value: CelValue, integer: CelValue): string | undefined {
  if (typeof integer === 'bigint') return integer.toString(16);
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  if (!(bytes instanceof Uint8Array)) return undefined;
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function formatInfinite(value: number): string {
  return formatDouble(value).replace(/^\+?(-?)Inf$/, '$1Infinity');
}

/** Formats a value for `%s`; undefined, within an error, if a type cannot be formatted. */
function formatAny(value: CelValue): string | CelError | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint' || value === null) return String(value);
  if (typeof value === 'number') return formatInfinite(value);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof Uint8Array) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(value);
  if (value instanceof CelDuration) return formatDuration(value);
  if (value instanceof CelTimestamp) return formatTimestamp(value, 0);
  if (value instanceof CelTypeValue) return value.name;
  if (value instanceof CelList) return formatList(value);
  return value instanceof CelMap ? formatMap(value) : undefined;
}

function formatList(list: CelList): string | CelError {
  const parts: string[] = [];
  for (const element of list.elements) {
    const part = formatValue(element, { verb: 's', precision: 0 });
    if (part instanceof CelError) return part;
    parts.push(part);
  }
  return `[${parts.join(', ')}]`;
}

/** Formats a map with its entries sorted by the text of their keys. */
function formatMap(map: CelMap): string | CelError {
  const parts: [string, string][] = [];
  for (const [key, value] of map.entries()) {
    const keyText = formatValue(key, { verb: 's', precision: 0 });
    if (keyText instanceof CelError) return keyText;
    const valueText = formatValue(value, { verb: 's', precision: 0 });
    if (valueText instanceof CelError) return valueText;
    parts.push([keyText, valueText]);
  }
  parts.sort(([a], [b]) => compareUtf8(a, b));
  return `{${parts.map(([key, value]) => `${key}: ${value}`).join(', ')}}`;
}
