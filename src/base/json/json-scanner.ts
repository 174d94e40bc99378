/** The kind of a fault in a JSON text: what the scanner did not find at its position. */
export type JsonFault =
  'value' | 'key' | 'colon' | 'end of member' | 'end of element' | 'character' | 'escape' | 'depth';

/** Receives the parts of a JSON text in order. Positions are those of the text; strings include their quotes. */
export interface JsonReceiver {
  /** The start of an object or a list. */
  enter(isObject: boolean, depth: number): void;
  key(start: number, end: number): void;
  string(start: number, end: number): void;
  /** A number, `true`, `false` or `null`. */
  word(start: number, end: number): void;
  /** An element of a list, after its parts. */
  element(start: number, end: number): void;
  /** The end of an object or a list. */
  leave(): void;
}

/** A fault of a JSON text. Each reader has its own words for it. */
export class JsonFaultError extends Error {
  readonly fault: JsonFault;
  readonly at: number;

  constructor(fault: JsonFault, at: number) {
    super(fault);
    this.fault = fault;
    this.at = at;
  }
}

const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const word = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openingBracket = 0x5b;
const backslash = 0x5c;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Scans JSON by the grammar. Works on character codes: fleets are large, and this is the fastest way. */
export class JsonScanner {
  readonly #text: string;
  readonly #end: number;
  readonly #deepest: number;
  readonly #receiver: JsonReceiver;
  #at: number;
  #depth = 0;

  constructor(
    text: string,
    receiver: JsonReceiver,
    { start = 0, end = text.length, deepest }: { start?: number; end?: number; deepest: number },
  ) {
    this.#text = text;
    this.#receiver = receiver;
    this.#at = start;
    this.#end = end;
    this.#deepest = deepest;
  }

  /** The position of the next character that is not a space; undefined at the end. */
  next(): number | undefined {
    this.#skipSpace();
    return this.#at < this.#end ? this.#at : undefined;
  }

  /**
   * Scans one value, and returns the position after it.
   *
   * @throws JsonFaultError if the text is not valid
   */
  value(): number {
    const start = this.#at;
    const first = this.#text.charCodeAt(start);
    if (first === quote) {
      this.#string();
      this.#receiver.string(start, this.#at);
    } else if (first === openingBrace || first === openingBracket) {
      this.#depth++;
      if (this.#depth > this.#deepest) this.#fail('depth');
      this.#receiver.enter(first === openingBrace, this.#depth);
      this.#at++;
      this.#skipSpace();
      if (first === openingBrace) this.#object();
      else this.#array();
      this.#depth--;
      this.#receiver.leave();
    } else {
      if (!this.#takePattern(word)) this.#fail('value');
      this.#receiver.word(start, this.#at);
    }
    return this.#at;
  }

  #object(): void {
    if (this.#take(closingBrace)) return;
    for (;;) {
      const start = this.#at;
      if (this.#text.charCodeAt(start) !== quote) this.#fail('key');
      this.#string();
      this.#receiver.key(start, this.#at);
      this.#skipSpace();
      if (!this.#take(colon)) this.#fail('colon');
      this.#skipSpace();
      this.value();
      this.#skipSpace();
      if (this.#take(closingBrace)) return;
      if (!this.#take(comma)) this.#fail('end of member');
      this.#skipSpace();
    }
  }

  #array(): void {
    if (this.#take(closingBracket)) return;
    for (;;) {
      const start = this.#at;
      this.#receiver.element(start, this.value());
      this.#skipSpace();
      if (this.#take(closingBracket)) return;
      if (!this.#take(comma)) this.#fail('end of element');
      this.#skipSpace();
    }
  }

  #string(): void {
    for (this.#at++; this.#at < this.#end;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === backslash) {
        if (!this.#takePattern(escape)) this.#fail('escape');
        continue;
      }
      if (code < 0x20) this.#fail('character');
      this.#at++;
      if (code === quote) return;
    }
    this.#fail('character');
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

  #fail(fault: JsonFault): never {
    throw new JsonFaultError(fault, this.#at);
  }
}
