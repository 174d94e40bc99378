import type { JsonReceiver } from './json-scanner.ts';

/** Builds the value of a JSON text, with Go's strings. What numbers and objects are is up to the reader. */
export abstract class JsonValues<T> implements JsonReceiver {
  /** Undefined before the text is read. */
  result: T | undefined;
  readonly #text: string;
  readonly #around: { readonly container: T[] | Map<string, T> | undefined; readonly key: string }[] = [];
  /** A list, or an object as a Map: `__proto__` is a key like any other. */
  #container: T[] | Map<string, T> | undefined;
  #key = '';

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the value of a string, of `true`, `false` or `null`. */
  protected abstract constant(value: string | boolean | null): T;

  protected abstract number(text: string): T;

  protected abstract collected(container: readonly T[] | Map<string, T>): T;

  enter(isObject: boolean): void {
    this.#around.push({ container: this.#container, key: this.#key });
    this.#container = isObject ? new Map() : [];
  }

  leave(): void {
    const value = this.#container;
    const { container, key } = this.#around.pop() ?? { container: undefined, key: '' };
    this.#container = container;
    this.#key = key;
    if (value !== undefined) this.#add(this.collected(value));
  }

  key(start: number, end: number): void {
    this.#key = this.#textOf(start, end);
  }

  string(start: number, end: number): void {
    this.#add(this.constant(this.#textOf(start, end)));
  }

  word(start: number, end: number): void {
    const word = this.#text.slice(start, end);
    this.#add(/^[tfn]/.test(word) ? this.constant(JSON.parse(word) as boolean | null) : this.number(word));
  }

  element(): void {
    // The parts of an element have arrived.
  }

  #textOf(start: number, end: number): string {
    return String(JSON.parse(this.#text.slice(start, end))).replace(/\p{Surrogate}/gu, '\ufffd');
  }

  #add(value: T): void {
    if (this.#container === undefined) this.result = value;
    else if (Array.isArray(this.#container)) this.#container.push(value);
    else this.#container.set(this.#key, value);
  }
}
