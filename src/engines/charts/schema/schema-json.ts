import { parseGoJson } from '../../../base/json/parse-json.ts';
import { JsonFaultError, JsonScanner, type JsonReceiver } from '../../../base/json/json-scanner.ts';
import { JsonNumber } from './json-number.ts';
import { SchemaError } from './schema-error.ts';

/** A value of a schema. */
export type SchemaJson = null | boolean | number | string | JsonNumber | readonly SchemaJson[] | SchemaObject;

/** A schema that is not a boolean, or another object of a schema. A Map, because `__proto__` is a name like any other. */
export type SchemaObject = Map<string, SchemaJson>;

// as encoding/json decode.go: maxNestingDepth
const deepest = 10_000;

/**
 * Parses a schema. A number that is not written as JavaScript writes it keeps its text.
 *
 * @throws {SchemaError} for a text that is not JSON
 */
export function parseSchemaJson(text: string): SchemaJson {
  const reader = new SchemaReader(text);
  const scanner = new JsonScanner(text, reader, { deepest });
  try {
    scanner.next();
    scanner.value();
  } catch (error) {
    if (!(error instanceof JsonFaultError)) throw error;
    throw faultOf(text);
  }
  if (scanner.next() !== undefined) throw faultOf(text);
  return reader.result;
}

/** Returns the fault in Go's words. */
function faultOf(text: string): SchemaError {
  const parsed = parseGoJson(text);
  return new SchemaError('error' in parsed ? parsed.error : 'the schema is nested too deeply');
}

type Container = SchemaJson[] | SchemaObject;

class SchemaReader implements JsonReceiver {
  result: SchemaJson = null;
  readonly #text: string;
  readonly #around: { readonly container: Container | undefined; readonly key: string }[] = [];
  #container: Container | undefined;
  #key = '';

  constructor(text: string) {
    this.#text = text;
  }

  enter(isObject: boolean): void {
    const inner: Container = isObject ? new Map<string, SchemaJson>() : [];
    this.#add(inner);
    this.#around.push({ container: this.#container, key: this.#key });
    this.#container = inner;
  }

  leave(): void {
    const around = this.#around.pop();
    this.#container = around?.container;
    this.#key = around?.key ?? '';
  }

  key(start: number, end: number): void {
    this.#key = this.#textOf(start, end);
  }

  string(start: number, end: number): void {
    this.#add(this.#textOf(start, end));
  }

  word(start: number, end: number): void {
    const word = this.#text.slice(start, end);
    this.#add(/^[tfn]/.test(word) ? (JSON.parse(word) as boolean | null) : JsonNumber.of(word));
  }

  element(): void {
    // The parts of an element have arrived.
  }

  #textOf(start: number, end: number): string {
    return String(JSON.parse(this.#text.slice(start, end))).replace(/\p{Surrogate}/gu, '\ufffd');
  }

  #add(value: SchemaJson): void {
    if (this.#container === undefined) this.result = value;
    else if (Array.isArray(this.#container)) this.#container.push(value);
    else this.#container.set(this.#key, value);
  }
}
