import { boolType, bytesType, doubleType, intType, nullType, stringType, uintType } from '../check/types.ts';
import type { CelType } from '../check/types.ts';
import { CelUint, maxInt, maxUint, minInt } from '../values/value.ts';
import type { CelValue } from '../values/value.ts';

/** Returns the value of a literal, or the error in cel-go's words. */
export type ParsedLiteral =
  | { readonly value: CelValue; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: string };

export function parseInt64(text: string): ParsedLiteral {
  const value = text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text);
  return value < minInt || value > maxInt ? { error: 'invalid int literal' } : { value };
}

export function parseUint64(text: string): ParsedLiteral {
  const value = BigInt(text.slice(0, -1));
  return value > maxUint ? { error: 'invalid uint literal' } : { value: new CelUint(value) };
}

export function parseDouble(text: string): ParsedLiteral {
  const value = Number(text);
  return Number.isFinite(value) ? { value } : { error: 'invalid double literal' };
}

export function parseString(text: string): ParsedLiteral {
  const parts = unquote(text);
  if (parts.raw) return { value: parts.text };
  const pieces: string[] = [];
  const error = unescape(parts.text, false, (code, isByte) => {
    if (!isByte && (code > 0x10_ff_ff || (code >= 0xd8_00 && code <= 0xdf_ff)))
      return 'invalid unicode code point';
    pieces.push(String.fromCodePoint(code));
    return undefined;
  });
  return error === undefined ? { value: pieces.join('') } : { error };
}

export function parseBytes(text: string): ParsedLiteral {
  const parts = unquote(text.slice(1));
  const encoder = new TextEncoder();
  if (parts.raw) return { value: encoder.encode(parts.text) };
  const bytes: number[] = [];
  const error = unescape(parts.text, true, (code, isByte) => {
    bytes.push(...(isByte ? [code] : encoder.encode(String.fromCodePoint(code))));
    return undefined;
  });
  return error === undefined ? { value: Uint8Array.from(bytes) } : { error };
}

/** Returns the text between the quotes, with all line ends converted to `\n`. */
function unquote(literal: string): { text: string; raw: boolean } {
  const raw = /^[rR]/.test(literal);
  const quoted = raw ? literal.slice(1) : literal;
  const quotes = quoted.length >= 6 && (quoted.startsWith('"""') || quoted.startsWith("'''")) ? 3 : 1;
  return { text: quoted.slice(quotes, -quotes).replaceAll(/\r\n?/g, '\n'), raw };
}

const simpleEscapes: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** Passes on each character, and whether it is one byte of a bytes literal. The lexer has accepted only well-formed escapes. */
function unescape(
  text: string,
  bytes: boolean,
  add: (code: number, isByte: boolean) => string | undefined,
): string | undefined {
  const escapes =
    /\\(?:[xX]([0-9a-fA-F]{2})|(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|([0-3][0-7]{2})|([^]))|[^\\]/gu;
  for (const [whole, hex, unicode, octal, other] of text.matchAll(escapes)) {
    let error: string | undefined;
    if (hex !== undefined) error = add(Number.parseInt(hex, 16), bytes);
    else if (octal !== undefined) error = add(Number.parseInt(octal, 8), bytes);
    else if (unicode !== undefined)
      error = bytes ? 'unable to unescape string' : add(Number.parseInt(unicode.slice(1), 16), false);
    else if (other !== undefined) error = add(simpleEscapes[other] ?? other.codePointAt(0) ?? 0, false);
    else error = add(whole.codePointAt(0) ?? 0, false);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** Returns the type of a literal. */
export function literalType(value: CelValue): CelType {
  if (value === null) return nullType;
  if (value instanceof CelUint) return uintType;
  if (typeof value === 'boolean') return boolType;
  if (typeof value === 'bigint') return intType;
  if (typeof value === 'number') return doubleType;
  return typeof value === 'string' ? stringType : bytesType;
}
