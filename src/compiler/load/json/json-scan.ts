import {
  JsonFaultError,
  JsonScanner,
  type JsonFault,
  type JsonReceiver,
} from '../../../base/json/json-scanner.ts';
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
  const positions = new Positions(text);
  const { duplicates } = positions;
  const scanner = new JsonScanner(text, positions, { ...stretch, deepest: deepestNesting });
  const documents: JsonDocument[] = [];
  try {
    for (let start = scanner.next(); start !== undefined; start = scanner.next())
      documents.push(positions.document(start, scanner.value()));
    return { documents, duplicates, error: undefined };
  } catch (error) {
    if (!(error instanceof JsonFaultError)) throw error;
    const { at, fault } = error;
    const message = at < stretch.end ? faults[fault] : 'the text ends in the middle of a value';
    return { documents, duplicates, error: { offset: at, message } };
  }
}

const wrongInString = 'JSON does not allow this escape or character in a string';

const faults: Readonly<Record<JsonFault, string>> = {
  value: 'a value is expected here',
  key: 'a key in double quotes is expected here',
  colon: 'a colon is expected here',
  'end of member': 'a comma or } is expected here',
  'end of element': 'a comma or ] is expected here',
  character: wrongInString,
  escape: wrongInString,
  depth: tooDeep,
};

const specialNumber = /\d{16}|^-?\d.*[eE]|^-0/;
const surrogate = /\\u[dD][89a-fA-F]/;

/** An object or a list around the current position. */
interface Container {
  /** The positions of the keys of an object. */
  readonly keys?: Map<string, number>;
  /** The ranges of the elements of the list `items` at the root. */
  readonly items?: Stretch[];
}

/** Collects duplicate keys and the positions of items. */
class Positions implements JsonReceiver {
  readonly duplicates: JsonDuplicate[] = [];
  readonly #text: string;
  readonly #containers: Container[] = [];
  #key = '';
  #items: Stretch[] | undefined;
  #special = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the document whose parts have arrived. */
  document(start: number, end: number): JsonDocument {
    const document = { start, end, items: this.#items, special: this.#special };
    this.#items = undefined;
    this.#special = false;
    return document;
  }

  enter(isObject: boolean): void {
    if (isObject) this.#containers.push({ keys: new Map() });
    else if (
      this.#key === 'items' &&
      this.#containers.length === 1 &&
      this.#containers[0]?.keys !== undefined
    )
      this.#containers.push({ items: (this.#items = []) });
    else this.#containers.push(list);
  }

  leave(): void {
    this.#containers.pop();
  }

  key(start: number, end: number): void {
    this.#noteEscapes(start, end);
    const key = readKey(this.#text.slice(start, end));
    const keys = this.#containers.at(-1)?.keys;
    const first = keys?.get(key);
    if (first !== undefined) this.duplicates.push({ key, first, again: start });
    keys?.set(key, start);
    this.#key = key;
  }

  string(start: number, end: number): void {
    this.#noteEscapes(start, end);
  }

  word(start: number, end: number): void {
    if (specialNumber.test(this.#text.slice(start, end))) this.#special = true;
  }

  element(start: number, end: number): void {
    this.#containers.at(-1)?.items?.push({ start, end });
  }

  #noteEscapes(start: number, end: number): void {
    const text = this.#text.slice(start, end);
    if (text.includes('\\') && surrogate.test(text.replaceAll('\\\\', ''))) this.#special = true;
  }
}

const list: Container = {};

/** Returns the key of a valid JSON string. */
function readKey(json: string): string {
  return json.includes('\\') ? String(JSON.parse(json)) : json.slice(1, -1);
}
