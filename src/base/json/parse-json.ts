import { goInteger, type GoJsonValue } from './go-json.ts';
import { goQuote } from '../go/quote.ts';
import { JsonFaultError, JsonScanner, type JsonFault } from './json-scanner.ts';
import { JsonValues } from './json-values.ts';

/** The value of a JSON text, or the error of Go's decoder for invalid JSON. */
export type ParsedGoJson = { readonly value: GoJsonValue } | { readonly error: string };

// Values that JSON.parse reads differently: numbers that a double might not represent, exponents that might overflow,
// `-0`, lone surrogates. A number is at the start, or follows a character that cannot be part of one: names such as
// `cluster-01` contain none.
const special = /(?:^|[[:,\s])(?:-0|-?\d{16}|-?[\d.]+[eE])|\\u[dD][89a-fA-F]/;

/**
 * Parses a JSON text as Kubernetes' decoder does (sigs.k8s.io/json): integers keep their digits, the last one of
 * equal keys counts, escaped lone surrogates become U+FFFD. Errors are Go's, word for word.
 */
export function parseGoJson(text: string): ParsedGoJson {
  if (!special.test(text)) {
    try {
      return { value: JSON.parse(text) as GoJsonValue };
    } catch {
      // parse it again for Go's message
    }
  }
  const values = new GoValues(text);
  const scanner = new JsonScanner(text, values, { deepest });
  try {
    scanner.next();
    scanner.value();
  } catch (error) {
    if (error instanceof JsonFaultError) return { error: goMessage(text, error) };
    throw error;
  }
  const rest = scanner.next();
  if (rest !== undefined) return { error: wordsAfterValue(text, rest, 'after top-level value') };
  // Go checks the syntax of the whole text first.
  return values.outOfRange === undefined ? { value: values.result ?? null } : { error: values.outOfRange };
}

// as encoding/json decode.go: maxNestingDepth
const deepest = 10_000;

/** Builds the value of a text, with Go's numbers. */
class GoValues extends JsonValues<GoJsonValue> {
  /** The error of a number beyond float64. */
  outOfRange: string | undefined;

  protected constant(value: string | boolean | null): GoJsonValue {
    return value;
  }

  protected number(text: string): GoJsonValue {
    const value = goNumber(text);
    if (typeof value === 'number' && !Number.isFinite(value))
      this.outOfRange ??= `json: cannot unmarshal number ${text} into Go value of type float64`;
    return value;
  }

  protected collected(container: readonly GoJsonValue[] | Map<string, GoJsonValue>): GoJsonValue {
    return container instanceof Map ? Object.fromEntries(container) : container;
  }
}

/** Returns Go's words for a fault. Go reads byte by byte, so they depend on how much of a token is valid. */
function goMessage(text: string, { fault, at }: JsonFaultError): string {
  return goFaults[fault](text, at);
}

const goFaults: Readonly<Record<JsonFault, (text: string, at: number) => string>> = {
  value: wordsForValue,
  key: (text, at) => wordsBetween(text, at, 'looking for beginning of object key string'),
  colon: (text, at) => wordsBetween(text, at, 'after object key'),
  'end of member': (text, at) => wordsAfterValue(text, at, 'after object key:value pair'),
  'end of element': (text, at) => wordsAfterValue(text, at, 'after array element'),
  character: (text, at) => wordsBetween(text, at, 'in string literal'),
  escape: wordsForEscape,
  depth: (text, at) => wordsBetween(text, at, 'exceeded max depth'),
};

function wordsForEscape(text: string, backslash: number): string {
  let at = backslash + 1;
  if (text[at] !== 'u') return wordsInToken(text, at, 'in string escape code');
  do at++;
  while (/[\da-fA-F]/.test(text[at] ?? ''));
  return wordsInToken(text, at, 'in \\u hexadecimal character escape');
}

function wordsForValue(text: string, at: number): string {
  const literal = ['true', 'false', 'null'].find((each) => each[0] === text[at]);
  if (literal !== undefined) {
    let length = 1;
    while (text[at + length] === literal[length]) length++;
    return wordsInToken(text, at + length, `in literal ${literal} (expecting '${literal[length] ?? ''}')`);
  }
  return text[at] === '-'
    ? wordsInToken(text, at + 1, 'in numeric literal')
    : wordsBetween(text, at, 'looking for beginning of value');
}

/** Returns Go's words for an unexpected character after a value: after a number, it may begin a fraction or an exponent. */
function wordsAfterValue(text: string, at: number, context: string): string {
  let start = at;
  while (/[\d.eE+-]/.test(text[start - 1] ?? '')) start--;
  const number = text.slice(start, at);
  const next = text[at] ?? '';
  if (!/^-?\d/.test(number) || /[eE]/.test(number)) return wordsBetween(text, at, context);
  if (next === '.' && !number.includes('.'))
    return wordsInToken(text, at + 1, 'after decimal point in numeric literal');
  if (next !== 'e' && next !== 'E') return wordsBetween(text, at, context);
  const sign = /[+-]/.test(text[at + 1] ?? '') ? 1 : 0;
  return wordsInToken(text, at + 1 + sign, 'in exponent of numeric literal');
}

/** Go's words between tokens and in strings, where a space would be legal. */
function wordsBetween(text: string, at: number, context: string): string {
  return at >= text.length ? 'unexpected end of JSON input' : wordsInToken(text, at, context);
}

/** As encoding/json scanner.eof: at the end it steps on with a space, so that a truncated token reports that. */
function wordsInToken(text: string, at: number, context: string): string {
  return `invalid character ${quoteFirstByte(text.codePointAt(at) ?? 0x20)} ${context}`;
}

// as kjson convertNumber: an int64 if it fits and has no fraction, a float64 otherwise
function goNumber(text: string): number | bigint {
  return /^-?\d+$/.test(text) ? goInteger(BigInt(text)) : Number(text);
}

// as encoding/json quoteChar, which reads a single byte: for a character beyond ASCII it shows the first one
function quoteFirstByte(codePoint: number): string {
  const byte = new TextEncoder().encode(String.fromCodePoint(codePoint))[0] ?? 0;
  const text = String.fromCharCode(byte);
  if (text === "'") return "'\\''";
  return text === '"' ? `'"'` : `'${goQuote(text).slice(1, -1)}'`;
}
