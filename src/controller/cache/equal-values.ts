import type { StoredMeta } from '../../client/object.ts';

/** The number of values that are compared; the older half is forgotten at a time. */
const mostValues = 8192;
/** Longer values are not compared: they are rarely equal, and their texts would stay in memory. */
const longest = 1024;

/**
 * Keeps equal values once. The objects of 10,000 clusters repeat the same conditions, references and names, and a cache
 * that keeps each as it was read needs several times the memory. It forgets values that were not seen for a while,
 * so that those of a single object do not collect.
 */
export class EqualValues {
  #recent = new Map<string, unknown>();
  #older = new Map<string, unknown>();

  /** Returns an equal value that was seen before, or the value itself. Nobody may change it. */
  one<T>(value: T): T {
    if (value === undefined) return value;
    // No JSON begins like this.
    const key = typeof value === 'string' ? `~${value}` : JSON.stringify(value);
    if (key.length > longest) return value;
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent as T;
    const seen = (this.#older.get(key) as T | undefined) ?? value;
    if (this.#recent.size >= mostValues / 2) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, seen);
    return seen;
  }

  /** Returns a list whose elements were seen before where they could be; the same list, if all of it was. */
  list<T extends object>(values: readonly T[]): readonly T[] {
    return this.one(values.map((value) => this.one(value)));
  }

  /** Returns an object whose texts were seen before where they could be. */
  texts<T extends object>(object: T): T {
    return Object.fromEntries(
      Object.entries(object).map(([name, value]: [string, unknown]) => [
        name,
        typeof value === 'string' ? this.one(value) : value,
      ]),
    ) as T;
  }
}

/** An object, any of whose fields may be undefined. */
type OrAbsent<T> = { readonly [K in keyof T]: T[K] | undefined };

/**
 * Returns the metadata to cache: what identifies an object and its version, and further fields. The texts that other
 * objects share are kept once.
 */
export function sharedMetadata(
  metadata: StoredMeta,
  further: OrAbsent<Partial<StoredMeta>>,
  equal: EqualValues,
): StoredMeta {
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp } = metadata;
  return withoutAbsent<StoredMeta>({
    name: equal.one(name),
    namespace: equal.one(namespace),
    uid,
    resourceVersion,
    creationTimestamp: equal.one(creationTimestamp),
    deletionTimestamp,
    ...further,
  });
}

/**
 * Returns an object without its fields that are undefined. Unlike one that is made by spreading others, it shares its
 * hidden class with all objects of the same fields: V8 makes one of 300 bytes for each result of a spread.
 */
export function withoutAbsent<T extends object>(object: OrAbsent<T>): T {
  return Object.fromEntries(
    Object.entries(object).filter((entry: [string, unknown]) => entry[1] !== undefined),
  ) as T;
}
