import { quoted, runeValue, unquoteCharacter } from '../quote.ts';

/** A number of a template as each type that can hold it. As Go's untyped constants. */
export interface NumberLiteral {
  readonly integer?: bigint;
  readonly unsigned?: bigint;
  readonly float?: number;
  readonly complex?: { readonly real: number; readonly imaginary: number };
}

const integerSyntax =
  /^([-+]?)(?:0[xX]((?:_?[\da-fA-F])+)|0[bB]((?:_?[01])+)|0[oO]((?:_?[0-7])+)|0((?:_?[0-7])+)|([1-9](?:_?\d)*|0))$/;
const floatSyntax = /^[-+]?(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][-+]?\d(?:_?\d)*)?$/;
const hexFloatSyntax =
  /^([-+]?)0[xX](_?[\da-fA-F](?:_?[\da-fA-F])*)?\.?([\da-fA-F](?:_?[\da-fA-F])*)?[pP]([-+]?\d(?:_?\d)*)$/;

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;
const maxUint64 = 2n ** 64n - 1n;

/** Returns the value of a character constant such as `'a'`, or Go's error. */
export function parseCharacterLiteral(text: string): NumberLiteral | string {
  const character = unquoteCharacter(text.slice(1), "'");
  if (character === undefined) return 'invalid syntax';
  if (character.rest !== "'") return `malformed character constant: ${text}`;
  const value = runeValue(character.value);
  return { integer: BigInt(value), unsigned: BigInt(value), float: value };
}

/** Returns the value of a number such as `1`, `0x1F`, `1.5e3` or `2i`, or Go's error. */
export function parseNumberLiteral(text: string): NumberLiteral | string {
  if (text.endsWith('i')) {
    const imaginary = parseFloatText(text.slice(0, -1));
    if (imaginary !== undefined) return fromComplex(0, imaginary);
  }
  const value = parseIntegerText(text);
  if (value !== undefined) {
    const isSigned = value >= minInt64 && value <= maxInt64;
    const isUnsigned = value >= 0n && value <= maxUint64 && (value === 0n || !/^[-+]/.test(text));
    if (isSigned || isUnsigned)
      return {
        ...(isSigned && { integer: value }),
        ...(isUnsigned && { unsigned: value }),
        float: Number(value),
      };
  }
  const float = parseFloatText(text);
  if (float === undefined) return `illegal number syntax: ${quoted(text)}`;
  return /[.eEpP]/.test(text) ? fromFloat(float) : `integer overflow: ${quoted(text)}`;
}

/** Returns the value of a complex number such as `1+2i`, or Go's error. */
export function parseComplexLiteral(text: string): NumberLiteral | string {
  const parts = /^(.*[^eEpP])([-+].*)i$/.exec(text);
  const real = parseFloatText(parts?.[1] ?? '');
  const imaginary = parseFloatText(parts?.[2] ?? '');
  return real === undefined || imaginary === undefined
    ? 'syntax error scanning complex number'
    : fromComplex(real, imaginary);
}

function fromComplex(real: number, imaginary: number): NumberLiteral {
  return { complex: { real, imaginary }, ...(imaginary === 0 && fromFloat(real)) };
}

/** Floats without a fraction are integers too, where an integer is required. */
function fromFloat(float: number): NumberLiteral {
  const isInteger = Number.isInteger(float);
  return {
    float,
    ...(isInteger && float >= -(2 ** 63) && float < 2 ** 63 && { integer: BigInt(float) }),
    ...(isInteger && float >= 0 && float < 2 ** 64 && { unsigned: BigInt(float) }),
  };
}

/** As strconv.ParseInt with base 0, without its bounds. */
export function parseIntegerText(text: string): bigint | undefined {
  const match = integerSyntax.exec(text);
  if (match === null) return undefined;
  const [, sign, hex, binary, octal, oldOctal, decimal] = match;
  const prefixed =
    hex === undefined ? (binary === undefined ? ['0o', octal ?? oldOctal] : ['0b', binary]) : ['0x', hex];
  const digits = decimal ?? prefixed.join('');
  const value = BigInt(digits.replaceAll('_', ''));
  return sign === '-' ? -value : value;
}

/** As strconv.ParseFloat; undefined for an error. */
export function parseFloatText(text: string): number | undefined {
  const hex = hexFloatSyntax.exec(text);
  const value = hex === null ? decimalValue(text) : hexValue(hex);
  return value === undefined || Number.isFinite(value) ? value : undefined;
}

function decimalValue(text: string): number | undefined {
  return floatSyntax.test(text) ? Number(text.replaceAll('_', '')) : undefined;
}

function hexValue([, sign, whole = '', fraction = '', exponent = '']: readonly string[]): number | undefined {
  const digits = `${whole}${fraction}`.replaceAll('_', '');
  if (digits === '') return undefined;
  const fractionDigits = fraction.replaceAll('_', '').length;
  const value =
    Number(BigInt(`0x${digits}`)) * 2 ** (Number(exponent.replaceAll('_', '')) - 4 * fractionDigits);
  return sign === '-' ? -value : value;
}
