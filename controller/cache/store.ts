import { keyOf, type ApiObject, type ObjectKey, type Stored } from '../kube/object.ts';

/** The values under which an object is found. */
export type IndexFunction<T extends ApiObject> = (object: Stored<T>) => readonly string[];

/** Objects of one kind by key and by further indexes. Objects in it are never changed, only replaced. */
export class Store<T extends ApiObject, I extends string = string> {
  readonly #objects = new Map<ObjectKey, Stored<T>>();
  readonly #indexes: ReadonlyMap<
    string,
    { readonly of: IndexFunction<T>; readonly keys: Map<string, Set<ObjectKey>> }
  >;

  constructor(indexes: Readonly<Record<I, IndexFunction<T>>>) {
    this.#indexes = new Map(
      Object.entries<IndexFunction<T>>(indexes).map(([name, of]) => [name, { of, keys: new Map() }]),
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

  /** All objects that an index has under a value. */
  by(index: I, value: string): readonly Stored<T>[] {
    const found: Stored<T>[] = [];
    for (const key of this.#indexes.get(index)?.keys.get(value) ?? []) {
      const object = this.#objects.get(key);
      if (object !== undefined) found.push(object);
    }
    return found;
  }

  /** Adds or replaces an object; returns what was there. */
  set(object: Stored<T>): Stored<T> | undefined {
    const key = keyOf(object);
    const before = this.delete(key);
    this.#objects.set(key, object);
    for (const { of, keys } of this.#indexes.values()) {
      for (const value of of(object)) {
        const under = keys.get(value);
        if (under === undefined) keys.set(value, new Set([key]));
        else under.add(key);
      }
    }
    return before;
  }

  /** Removes an object; returns what was there. */
  delete(key: ObjectKey): Stored<T> | undefined {
    const before = this.#objects.get(key);
    if (before === undefined) return undefined;
    this.#objects.delete(key);
    for (const { of, keys } of this.#indexes.values()) {
      for (const value of of(before)) {
        const under = keys.get(value);
        under?.delete(key);
        if (under?.size === 0) keys.delete(value);
      }
    }
    return before;
  }
}
