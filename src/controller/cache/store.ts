import { keyOf, type ApiObject, type ObjectKey, type Stored } from '../../client/object.ts';

/** Returns the values under which an object is indexed. */
export type IndexFunction<T extends ApiObject> = (object: Stored<T>) => readonly string[];

/** The read-only interface of a store. */
export type ReadonlyStore<T extends ApiObject, I extends string = string> = Omit<
  Store<T, I>,
  'set' | 'delete'
>;

/** Objects of one kind by key and by further indexes. Objects in it are never changed, only replaced. */
export class Store<T extends ApiObject, I extends string = string> {
  readonly #objects = new Map<ObjectKey, Stored<T>>();
  readonly #indexes: ReadonlyMap<string, Index<T>>;

  constructor(indexes: Readonly<Record<I, IndexFunction<T>>>) {
    this.#indexes = new Map(
      Object.entries<IndexFunction<T>>(indexes).map(([name, valuesOf]) => [name, new Index(valuesOf)]),
    );
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: ObjectKey): Stored<T> | undefined {
    return this.#objects.get(key);
  }

  keys(): Iterable<ObjectKey> {
    return this.#objects.keys();
  }

  list(): Iterable<Stored<T>> {
    return this.#objects.values();
  }

  /** Returns all objects that an index has under a value. */
  by(index: I, value: string): readonly Stored<T>[] {
    const objects: Stored<T>[] = [];
    for (const key of this.#indexes.get(index)?.under(value) ?? []) {
      const object = this.#objects.get(key);
      if (object !== undefined) objects.push(object);
    }
    return objects;
  }

  /** Returns the number of objects that an index has under a value. */
  count(index: I, value: string): number {
    return this.#indexes.get(index)?.count(value) ?? 0;
  }

  /** Returns the values under which an index has objects. */
  values(index: I): Iterable<string> {
    return this.#indexes.get(index)?.values() ?? [];
  }

  /** Adds or replaces an object; returns the previous one. */
  set(object: Stored<T>): Stored<T> | undefined {
    const key = keyOf(object);
    const before = this.#objects.get(key);
    this.#objects.set(key, object);
    for (const index of this.#indexes.values()) index.set(key, object);
    return before;
  }

  /** Removes an object; returns the removed one. */
  delete(key: ObjectKey): Stored<T> | undefined {
    const before = this.#objects.get(key);
    this.#objects.delete(key);
    for (const index of this.#indexes.values()) index.delete(key);
    return before;
  }
}

/** One value, or several: most objects have one value and most values have one object, for which a list is large. */
type OneOrMore<V, More> = V | More;

/**
 * Keys of objects by the values of one function. The function is called once for each state of an object, because it
 * may be expensive.
 */
class Index<T extends ApiObject> {
  readonly #valuesOf: IndexFunction<T>;
  readonly #values = new Map<ObjectKey, OneOrMore<string, readonly string[]>>();
  readonly #keys = new Map<string, OneOrMore<ObjectKey, Set<ObjectKey>>>();

  constructor(valuesOf: IndexFunction<T>) {
    this.#valuesOf = valuesOf;
  }

  under(value: string): Iterable<ObjectKey> {
    const keys = this.#keys.get(value) ?? [];
    return typeof keys === 'string' ? [keys] : keys;
  }

  count(value: string): number {
    const keys = this.#keys.get(value);
    return typeof keys === 'string' ? 1 : (keys?.size ?? 0);
  }

  values(): Iterable<string> {
    return this.#keys.keys();
  }

  set(key: ObjectKey, object: Stored<T>): void {
    const values = this.#valuesOf(object);
    const previous = this.#valuesUnder(key);
    // Most changes do not affect them.
    if (previous.length === values.length && previous.every((value, index) => value === values[index]))
      return;
    this.delete(key);
    const [first] = values;
    if (first === undefined) return;
    this.#values.set(key, values.length === 1 ? first : values);
    for (const value of values) this.#add(value, key);
  }

  delete(key: ObjectKey): void {
    for (const value of this.#valuesUnder(key)) {
      const keys = this.#keys.get(value);
      if (typeof keys !== 'string' && keys !== undefined && keys.size > 1) keys.delete(key);
      else this.#keys.delete(value);
    }
    this.#values.delete(key);
  }

  #valuesUnder(key: ObjectKey): readonly string[] {
    const values = this.#values.get(key) ?? [];
    return typeof values === 'string' ? [values] : values;
  }

  #add(value: string, key: ObjectKey): void {
    const keys = this.#keys.get(value);
    if (keys === undefined) this.#keys.set(value, key);
    else if (typeof keys === 'string') this.#keys.set(value, new Set([keys, key]));
    else keys.add(key);
  }
}
