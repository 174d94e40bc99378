import { printable, shortEscapes } from '../../base/go/quote.ts';
import { bytesOf } from './text.ts';

const plain = /^[ !#-[\]-~]*$/;

/** Whether Go prints a character as it is. As strconv.IsPrint. */
export function isPrintable(code: number): boolean {
  return code >= 0 && code <= 0x10ffff && printable.test(String.fromCodePoint(code));
}

/** As strconv.Quote; with `ascii` as strconv.QuoteToASCII. */
export function quoted(text: string, ascii = false): string {
  if (plain.test(text)) return `"${text}"`;
  let result = '"';
  for (const character of text) result += escapedRune(character.codePointAt(0) ?? 0, '"', ascii);
  return `${result}"`;
}

/** As strconv.QuoteRune: a character constant. */
export function quotedRune(code: number, ascii = false): string {
  const isValid = code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return `'${escapedRune(isValid ? code : 0xfffd, "'", ascii)}'`;
}

function escapedRune(code: number, quote: string, ascii: boolean): string {
  const character = String.fromCodePoint(code);
  if (character === quote) return `\\${quote}`;
  const short = shortEscapes.get(character);
  if (short !== undefined) return short;
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`;
  if (code >= 0xd800 && code <= 0xdfff) return ascii ? '\\ufffd' : '\ufffd';
  if (ascii ? code < 0x7f && code >= 0x20 : isPrintable(code)) return character;
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

/** As strconv.CanBackquote. */
export function canBackquote(text: string): boolean {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code === 0xfeff || (code >= 0xd800 && code <= 0xdfff)) return false;
    if ((code < 0x20 && code !== 9) || code === 0x60 || code === 0x7f) return false;
  }
  return true;
}

const escape = /^\\(?:([abfnrtv\\])|(['"])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3}))/;
const simple: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

/** A character of a quoted text, and what follows it; undefined if it is invalid. As strconv.UnquoteChar. */
export function unquoteCharacter(text: string, quote: string): { value: string; rest: string } | undefined {
  if (text === '' || text.startsWith(quote)) return undefined;
  if (!text.startsWith('\\')) {
    const value = String.fromCodePoint(text.codePointAt(0) ?? 0);
    return { value, rest: text.slice(value.length) };
  }
  const match = escape.exec(text);
  if (match === null) return undefined;
  const [all, short, mark, byte, unicode, long, octal] = match;
  const rest = text.slice(all.length);
  if (short !== undefined) return { value: simple[short] ?? '', rest };
  if (mark !== undefined) return mark === quote ? { value: mark, rest } : undefined;
  if (byte !== undefined) return { value: byteCharacter(Number.parseInt(byte, 16)), rest };
  if (octal !== undefined) {
    const code = Number.parseInt(octal, 8);
    return code > 255 ? undefined : { value: byteCharacter(code), rest };
  }
  const code = Number.parseInt(unicode ?? long ?? '', 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  return { value: String.fromCodePoint(code), rest };
}

function byteCharacter(code: number): string {
  return String.fromCharCode(code < 0x80 ? code : 0xdc00 + code);
}

/** Returns the value of a character constant's text as a number: an escaped byte counts as its value. */
export function runeValue(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  return code >= 0xdc80 && code <= 0xdcff ? (bytesOf(character)[0] ?? 0) : code;
}

/** Returns the text of a Go string literal in double or back quotes; undefined for an invalid one. */
export function unquote(literal: string): string | undefined {
  if (literal.startsWith('`')) return literal.slice(1, -1).replaceAll('\r', '');
  let result = '';
  for (let rest = literal.slice(1, -1); rest !== '';) {
    const next = unquoteCharacter(rest, '"');
    if (next === undefined) return undefined;
    result += next.value;
    rest = next.rest;
  }
  return result;
}
