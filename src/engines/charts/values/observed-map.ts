import type { Value, ValueMap } from '../../gotemplate/index.ts';

/** A map that reports the names of the entries whose values are read. */
export class ObservedMap extends Map<string, Value> {
  readonly #onRead: (name: string) => void;

  constructor(entries: ValueMap, onRead: (name: string) => void) {
    super(entries);
    this.#onRead = onRead;
  }

  override get(name: string): Value {
    this.#onRead(name);
    return super.get(name);
  }

  override entries(): MapIterator<[string, Value]> {
    this.#readAll();
    return super.entries();
  }

  override values(): MapIterator<Value> {
    this.#readAll();
    return super.values();
  }

  override [Symbol.iterator](): MapIterator<[string, Value]> {
    this.#readAll();
    return super[Symbol.iterator]();
  }

  override forEach(visit: (value: Value, name: string, map: Map<string, Value>) => void): void {
    this.#readAll();
    super.forEach(visit);
  }

  #readAll(): void {
    for (const name of this.keys()) this.#onRead(name);
  }
}
