import { deepestNesting, tooDeep } from '../nesting.ts';

/** A range of a text, from `start` to before `end`. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** One JSON value of a text. */
export interface JsonDocument extends Stretch {
  /** The ranges of the items of the list `items` at the root, if there is one. */
  readonly items: readonly Stretch[] | undefined;
  /** Whether `JSON.parse` might read it differently from Go: integers too long for a double, exponents, half surrogates. */
  readonly special: boolean;
}

/** A key that occurs twice in an object. */
export interface JsonDuplicate {
  readonly key: string;
  readonly first: number;
  readonly again: number;
}

export interface JsonScan {
  readonly documents: readonly JsonDocument[];
  readonly duplicates: readonly JsonDuplicate[];
  readonly error: { readonly offset: number; readonly message: string } | undefined;
}

/**
 * Scans consecutive JSON values in a range of a text. Reports whether they are valid JSON, their positions, and duplicate keys,
 * which `JSON.parse` does not report.
 */
export function scanJson(text: string, stretch: Stretch): JsonScan {
  const scanner = new Scanner(text, stretch);
  const documents: JsonDocument[] = [];
  try {
    for (let document = scanner.document(); document !== undefined; document = scanner.document())
      documents.push(document);
    return { documents, duplicates: scanner.duplicates, error: undefined };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return {
      documents,
      duplicates: scanner.duplicates,
      error: { offset: error.offset, message: error.message },
    };
  }
}

class JsonError extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const word = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

const notInText = 'JSON does not allow this escape or character in a string';
const specialNumber = /\d{16}|^-?\d.*[eE]|^-0/;
const surrogate = /u[dD][89a-fA-F]/;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openingBracket = 0x5b;
const backslash = 0x5c;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Works on character codes: fleets are large, and this is the fastest way. */
class Scanner {
  readonly duplicates: JsonDuplicate[] = [];
  readonly #text: string;
  readonly #end: number;
  #at: number;
  #depth = 0;
  #items: Stretch[] | undefined;
  #special = false;

  constructor(text: string, { start, end }: Stretch) {
    this.#text = text;
    this.#at = start;
    this.#end = end;
  }

  document(): JsonDocument | undefined {
    this.#skipSpace();
    if (this.#at >= this.#end) return undefined;
    this.#items = undefined;
    this.#special = false;
    const start = this.#at;
    this.#value('');
    return { start, end: this.#at, items: this.#items, special: this.#special };
  }

  #value(key: string): void {
    const first = this.#text.charCodeAt(this.#at);
    if (first === quote) this.#string();
    else if (first === openingBrace || first === openingBracket) {
      this.#depth++;
      if (this.#depth > deepestNesting) this.#fail(tooDeep);
      this.#at++;
      this.#skipSpace();
      if (first === openingBrace) this.#object();
      else this.#array(key === 'items' && this.#depth === 2);
      this.#depth--;
    } else this.#word();
  }

  #word(): void {
    const start = this.#at;
    if (!this.#takePattern(word)) this.#fail('a value is expected here');
    if (specialNumber.test(this.#text.slice(start, this.#at))) this.#special = true;
  }

  #object(): void {
    if (this.#take(closingBrace)) return;
    const keys = new Map<string, number>();
    for (;;) {
      const start = this.#at;
      if (this.#text.charCodeAt(start) !== quote) this.#fail('a key in double quotes is expected here');
      this.#string();
      const key = readKey(this.#text.slice(start, this.#at));
      const first = keys.get(key);
      if (first !== undefined) this.duplicates.push({ key, first, again: start });
      keys.set(key, start);
      this.#skipSpace();
      if (!this.#take(colon)) this.#fail('a colon is expected here');
      this.#skipSpace();
      this.#value(key);
      this.#skipSpace();
      if (this.#take(closingBrace)) return;
      if (!this.#take(comma)) this.#fail('a comma or } is expected here');
      this.#skipSpace();
    }
  }

  #array(keepItems: boolean): void {
    const items: Stretch[] = [];
    if (keepItems) this.#items = items;
    if (this.#take(closingBracket)) return;
    for (;;) {
      const start = this.#at;
      this.#value('');
      if (keepItems) items.push({ start, end: this.#at });
      this.#skipSpace();
      if (this.#take(closingBracket)) return;
      if (!this.#take(comma)) this.#fail('a comma or ] is expected here');
      this.#skipSpace();
    }
  }

  #string(): void {
    for (this.#at++; this.#at < this.#end;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === backslash) {
        const start = this.#at;
        if (!this.#takePattern(escape)) this.#fail(notInText);
        if (surrogate.test(this.#text.slice(start, this.#at))) this.#special = true;
        continue;
      }
      if (code < 0x20) this.#fail(notInText);
      this.#at++;
      if (code === quote) return;
    }
    this.#fail('');
  }

  #skipSpace(): void {
    for (; this.#at < this.#end; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    }
  }

  #take(code: number): boolean {
    if (this.#at >= this.#end || this.#text.charCodeAt(this.#at) !== code) return false;
    this.#at++;
    return true;
  }

  #takePattern(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text) || pattern.lastIndex > this.#end) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #fail(message: string): never {
    throw new JsonError(this.#at, this.#at < this.#end ? message : 'the text ends in the middle of a value');
  }
}

/** Returns the key of a valid JSON string. */
function readKey(json: string): string {
  return json.includes('\\') ? String(JSON.parse(json)) : json.slice(1, -1);
}
