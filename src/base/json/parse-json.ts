import { goInteger, type GoJsonValue } from './go-json.ts';
import { goQuote } from '../go/quote.ts';

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
  try {
    return { value: new Reader(text).read() };
  } catch (error) {
    if (error instanceof GoSyntaxError) return { error: error.message };
    throw error;
  }
}

class GoSyntaxError extends Error {}

// as encoding/json decode.go: maxNestingDepth
const deepest = 10_000;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const simpleEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  /** A number beyond float64; Go checks the syntax of the whole text first. */
  #outOfRange: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  read(): GoJsonValue {
    const value = this.#value();
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#fail('after top-level value');
    if (this.#outOfRange !== undefined) throw new GoSyntaxError(this.#outOfRange);
    return value;
  }

  #value(): GoJsonValue {
    this.#skipSpace();
    const character = this.#text.charAt(this.#at);
    switch (character) {
      case '{':
        return this.#nested(() => this.#object());
      case '[':
        return this.#nested(() => this.#array());
      case '"':
        return this.#string();
      case 't':
        return this.#literal('true', true);
      case 'f':
        return this.#literal('false', false);
      case 'n':
        return this.#literal('null', null);
      default:
        if (/[-\d]/.test(character)) return this.#number();
        return this.#fail('looking for beginning of value');
    }
  }

  #nested<T>(read: () => T): T {
    this.#depth++;
    if (this.#depth > deepest) this.#fail('exceeded max depth');
    this.#at++;
    const value = read();
    this.#depth--;
    return value;
  }

  #object(): GoJsonValue {
    // a map, then entries: `__proto__` is a key like any other
    const entries = new Map<string, GoJsonValue>();
    this.#skipSpace();
    if (this.#take('}')) return {};
    for (;;) {
      this.#skipSpace();
      if (this.#text[this.#at] !== '"') this.#fail('looking for beginning of object key string');
      const key = this.#string();
      this.#skipSpace();
      if (!this.#take(':')) this.#fail('after object key');
      entries.set(key, this.#value());
      this.#skipSpace();
      if (this.#take('}')) return Object.fromEntries(entries);
      if (!this.#take(',')) this.#fail('after object key:value pair');
    }
  }

  #array(): GoJsonValue {
    const items: GoJsonValue[] = [];
    this.#skipSpace();
    if (this.#take(']')) return items;
    for (;;) {
      items.push(this.#value());
      this.#skipSpace();
      if (this.#take(']')) return items;
      if (!this.#take(',')) this.#fail('after array element');
    }
  }

  #string(): string {
    let text = '';
    this.#at++;
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined || character < ' ') return this.#fail('in string literal');
      this.#at++;
      if (character === '"') return text.replace(/\p{Surrogate}/gu, '\ufffd');
      text += character === '\\' ? this.#escape() : character;
    }
  }

  #escape(): string {
    const character = this.#text[this.#at] ?? '';
    const simple = simpleEscapes[character];
    if (simple === undefined && character !== 'u') this.#failInToken('in string escape code');
    this.#at++;
    if (simple !== undefined) return simple;
    const start = this.#at;
    while (this.#at < start + 4) {
      if (!/[\da-fA-F]/.test(this.#text[this.#at] ?? ''))
        this.#failInToken('in \\u hexadecimal character escape');
      this.#at++;
    }
    return String.fromCharCode(Number.parseInt(this.#text.slice(start, this.#at), 16));
  }

  #number(): GoJsonValue {
    number.lastIndex = this.#at;
    const text = number.exec(this.#text)?.[0];
    if (text === undefined) {
      this.#at++;
      return this.#failInToken('in numeric literal');
    }
    this.#at += text.length;
    const next = this.#text[this.#at] ?? '';
    // the number ends here, although these characters begin a fraction or an exponent
    if (next === '.' && !text.includes('.') && !/[eE]/.test(text)) {
      this.#at++;
      this.#failInToken('after decimal point in numeric literal');
    }
    if (/[eE]/.test(next) && !/[eE]/.test(text)) {
      this.#at++;
      if (/[+-]/.test(this.#text[this.#at] ?? '')) this.#at++;
      this.#failInToken('in exponent of numeric literal');
    }
    const value = goNumber(text);
    if (!Number.isFinite(Number(value))) {
      this.#outOfRange ??= `json: cannot unmarshal number ${text} into Go value of type float64`;
    }
    return value;
  }

  #literal<T>(word: string, value: T): T {
    this.#at++;
    for (let i = 1; i < word.length; i++) {
      if (!this.#take(word.charAt(i))) this.#failInToken(`in literal ${word} (expecting '${word[i]}')`);
    }
    return value;
  }

  #skipSpace(): void {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? '')) this.#at++;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  /** Between tokens and in strings, where a space would be legal. */
  #fail(context: string): never {
    if (this.#at >= this.#text.length) throw new GoSyntaxError('unexpected end of JSON input');
    return this.#failInToken(context);
  }

  /** as encoding/json scanner.eof: at the end it steps on with a space, so that a truncated token reports that */
  #failInToken(context: string): never {
    const codePoint = this.#text.codePointAt(this.#at) ?? 0x20;
    throw new GoSyntaxError(`invalid character ${quoteFirstByte(codePoint)} ${context}`);
  }
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
