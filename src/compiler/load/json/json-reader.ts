import { deepestNesting } from '../nesting.ts';
import { JsonMemory, type JsonPlace, type ReadContainer, type ReadKey } from './json-memory.ts';
import type { RecentTexts } from '../../../base/collections/recent-texts.ts';
import type { Stretch } from './json-scan.ts';

/** A JSON value with its position. */
interface JsonReading extends Stretch {
  readonly value: unknown;
  /** The ranges of the items of the list `items` at the root, if there is one. */
  readonly items: readonly Stretch[] | undefined;
}

/**
 * Reads consecutive JSON values in a range of a text, and reuses values that were read before: equal parts of objects become one
 * object. Returns undefined for a text that needs a closer look: with an error, a repeated key, deep nesting, or a value that
 * `JSON.parse` reads differently from Go.
 *
 * @param items - the items of lists by their text; without it, items are not reused
 */
export function readPlainJson(
  text: string,
  stretch: Stretch,
  memory = new JsonMemory(),
  items?: Pick<RecentTexts<unknown>, 'get' | 'set'>,
): readonly JsonReading[] | undefined {
  const reader = new Reader(text, stretch, memory, items);
  const documents: JsonReading[] = [];
  try {
    for (let next = reader.document(); next !== undefined; next = reader.document()) documents.push(next);
    return documents;
  } catch (error) {
    if (error === notPlain) return undefined;
    throw error;
  }
}

const notPlain = new Error('this JSON is not plain');

const word = /-?(?:0|[1-9]\d{0,14})(?:\.\d{1,14})?(?![\d.eE])|true|false|null/y;
const words: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };
const escape = /\\(?:["\\/bfnrt]|u(?![dD][89a-fA-F])[\da-fA-F]{4})/y;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openingBracket = 0x5b;
const backslash = 0x5c;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

class Reader {
  readonly #text: string;
  readonly #end: number;
  readonly #memory: JsonMemory;
  readonly #itemsByText: Pick<RecentTexts<unknown>, 'get' | 'set'> | undefined;
  #at: number;
  #depth = 0;
  #items: Stretch[] | undefined;

  constructor(
    text: string,
    { start, end }: Stretch,
    memory: JsonMemory,
    itemsByText: Pick<RecentTexts<unknown>, 'get' | 'set'> | undefined,
  ) {
    this.#text = text;
    this.#at = start;
    this.#end = end;
    this.#memory = memory;
    this.#itemsByText = itemsByText;
  }

  document(): JsonReading | undefined {
    this.#skipSpace();
    if (this.#at >= this.#end) return undefined;
    this.#items = undefined;
    const start = this.#at;
    const value = this.#value(this.#memory.root, '');
    return { start, end: this.#at, items: this.#items, value };
  }

  #value(place: JsonPlace, key: string): unknown {
    const first = this.#text.charCodeAt(this.#at);
    if (first === quote) return this.#string(place);
    if (first !== openingBrace && first !== openingBracket) return this.#word();
    // The root is as long as the text, and its list of items is compared item by item.
    const isCompared = this.#depth > 0 && !(this.#depth === 1 && key === 'items');
    const earlier = isCompared ? place.earlier(this.#takeText) : undefined;
    if (earlier !== undefined) return earlier.value;
    const start = this.#at;
    this.#depth++;
    if (this.#depth > deepestNesting) throw notPlain;
    this.#at++;
    this.#skipSpace();
    const value = first === openingBrace ? this.#object(place) : this.#array(place, key);
    this.#depth--;
    if (isCompared) place.remember({ text: this.#text.slice(start, this.#at), value });
    return value;
  }

  #word(): unknown {
    word.lastIndex = this.#at;
    const [token] = word.exec(this.#text) ?? [];
    if (token === undefined || word.lastIndex > this.#end || token.startsWith('-0')) throw notPlain;
    this.#at = word.lastIndex;
    return Object.hasOwn(words, token) ? words[token] : Number(token);
  }

  #object(place: JsonPlace): unknown {
    const object: Record<string, unknown> = {};
    if (this.#take(closingBrace)) return object;
    const expected = place.keys;
    const keys: ReadKey[] = [];
    let index = 0;
    for (;;) {
      const next = this.#expectedKey(expected, index);
      let key: ReadKey;
      if (next === undefined) {
        key = this.#key(place);
        if (Object.hasOwn(object, key.key)) throw notPlain;
        // The keys after it may be anywhere in the expected ones.
        index = -1;
      } else {
        key = next.key;
        index = next.index + 1;
      }
      keys.push(key);
      this.#skipSpace();
      this.#expect(colon);
      this.#skipSpace();
      const value = this.#value(key.place, key.key);
      if (key.key === '__proto__') define(object, value);
      else object[key.key] = value;
      this.#skipSpace();
      if (this.#take(closingBrace)) break;
      this.#expect(comma);
      this.#skipSpace();
    }
    if (index < 0) place.keys = keys;
    return object;
  }

  /** Returns the key at the offset, if it is the expected one, or the one behind that. */
  #expectedKey(expected: readonly ReadKey[], index: number): { key: ReadKey; index: number } | undefined {
    if (index < 0) return undefined;
    for (let at = index; at < index + 2; at++) {
      const key = expected[at];
      if (key === undefined) return undefined;
      if (this.#takeText(key.text)) return { key, index: at };
    }
    return undefined;
  }

  #key(place: JsonPlace): ReadKey {
    const start = this.#at;
    if (this.#text.charCodeAt(start) !== quote) throw notPlain;
    const key = this.#newString();
    return { text: this.#text.slice(start, this.#at), key, place: place.field(key) };
  }

  #array(place: JsonPlace, key: string): unknown[] {
    const list: unknown[] = [];
    const isItems = key === 'items' && this.#depth === 2;
    const items: ReadContainer[] = [];
    const stretches: Stretch[] = [];
    if (isItems) {
      this.#items = stretches;
      this.#memory.restart();
    }
    if (this.#take(closingBracket)) return list;
    for (;;) {
      const start = this.#at;
      if (isItems) {
        const item = this.#item(place.item(list.length));
        items.push(item);
        list.push(item.value);
        stretches.push({ start, end: this.#at });
      } else list.push(this.#value(place.item(list.length), ''));
      this.#skipSpace();
      if (this.#take(closingBracket)) break;
      this.#expect(comma);
      this.#skipSpace();
    }
    if (isItems && this.#itemsByText !== undefined) this.#memory.keep(items);
    return list;
  }

  /** Reads an item of the list at the root, which may be the same as in a text that was read before. */
  #item(place: JsonPlace): ReadContainer {
    const start = this.#at;
    const first = this.#text.charCodeAt(start);
    // A number may begin with an earlier one.
    const isContainer = first === openingBrace || first === openingBracket;
    const expected = isContainer ? this.#memory.expectedItem(this.#takeText) : undefined;
    if (expected !== undefined) return expected;
    const value = this.#value(place, '');
    const text = this.#text.slice(start, this.#at);
    const earlier = this.#itemsByText?.get(text);
    this.#memory.continueAfter(earlier);
    if (earlier !== undefined) return { text, value: earlier };
    this.#itemsByText?.set(text, value);
    return { text, value };
  }

  #string(place: JsonPlace): string {
    if (place.stringText !== '' && this.#takeText(place.stringText)) return place.string;
    const start = this.#at;
    place.string = this.#newString();
    place.stringText = this.#text.slice(start, this.#at);
    return place.string;
  }

  #newString(): string {
    const start = this.#at;
    let hasEscapes = false;
    for (let at = start + 1; at < this.#end; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === quote) {
        this.#at = at + 1;
        return hasEscapes
          ? String(JSON.parse(this.#text.slice(start, this.#at)))
          : this.#text.slice(start + 1, at);
      }
      if (code < 0x20) throw notPlain;
      if (code !== backslash) continue;
      escape.lastIndex = at;
      if (!escape.test(this.#text)) throw notPlain;
      hasEscapes = true;
      at = escape.lastIndex - 1;
    }
    throw notPlain;
  }

  /** Takes a text that was read before. */
  readonly #takeText = (expected: string): boolean => {
    const end = this.#at + expected.length;
    // This is several times as fast as startsWith.
    if (end > this.#end || this.#text.slice(this.#at, end) !== expected) return false;
    this.#at = end;
    return true;
  };

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

  #expect(code: number): void {
    if (!this.#take(code)) throw notPlain;
  }
}

/** Adds the key `__proto__`, which an assignment would not add. */
function define(object: object, value: unknown): void {
  Object.defineProperty(object, '__proto__', { value, configurable: true, enumerable: true, writable: true });
}
