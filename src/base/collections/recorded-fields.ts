import { isSameList } from './remembered.ts';

/**
 * Records which fields of an object are read, and their values. A result that was computed from `object` alone holds for every other
 * object that has the same values in these fields.
 */
export class RecordedFields<T extends object> {
  /** To be read in place of the object. It has the same fields. */
  readonly object: T;
  #source: T | undefined;
  readonly #values = new Map<PropertyKey, unknown>();
  readonly #parts = new Map<PropertyKey, RecordedFields<object>>();
  #keys: readonly PropertyKey[] | undefined;

  /** @param parts - the fields that are recorded field by field themselves */
  constructor(source: T, parts: readonly (keyof T)[] = []) {
    this.#source = source;
    for (const key of parts) this.#parts.set(key, new RecordedFields(source[key] as object));
    // The proxy of an empty object: it does not keep the source after the recording.
    this.object = new Proxy<object>(
      {},
      {
        get: (_, key) => this.#read(key),
        has: (_, key) => this.#read(key) !== undefined || key in this.#open,
        ownKeys: () => this.#readKeys(),
        getOwnPropertyDescriptor: (_, key) =>
          Object.hasOwn(this.#open, key)
            ? { value: this.#read(key), enumerable: true, configurable: true }
            : undefined,
      },
    ) as T;
  }

  /** Whether a field was read that is not recorded field by field. */
  hasRead(key: keyof T): boolean {
    return this.#values.has(key);
  }

  /** Ends the recording. What is kept does not keep the fields that were not read. */
  end(): void {
    this.#source = undefined;
    for (const part of this.#parts.values()) part.end();
  }

  /** Whether another object has the values that were read. */
  isCurrent(other: T): boolean {
    if (this.#keys !== undefined && !isSameList(this.#keys, Reflect.ownKeys(other))) return false;
    for (const [key, value] of this.#values) if (Reflect.get(other, key) !== value) return false;
    for (const [key, part] of this.#parts)
      if (!part.isCurrent(Reflect.get(other, key) as object)) return false;
    return true;
  }

  #read(key: PropertyKey): unknown {
    const part = this.#parts.get(key);
    if (part !== undefined) return part.object;
    const value: unknown = Reflect.get(this.#open, key);
    this.#values.set(key, value);
    return value;
  }

  #readKeys(): PropertyKey[] & (string | symbol)[] {
    const keys = Reflect.ownKeys(this.#open);
    this.#keys = keys;
    return keys;
  }

  get #open(): T {
    if (this.#source === undefined) throw new Error('a field is read after the recording');
    return this.#source;
  }
}
