/** A Map or a WeakMap. */
interface Entries<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/**
 * Returns the value of a key, and inserts the computed one first if there is none. As Map.prototype.getOrInsertComputed,
 * which Node 20 does not have.
 *
 * @param compute - returns a value that is not undefined
 */
export function getOrInsertComputed<K, V>(
  entries: Entries<K, V>,
  key: K,
  compute: (key: K) => NoInfer<V>,
): V {
  const existing = entries.get(key);
  if (existing !== undefined) return existing;
  const computed = compute(key);
  entries.set(key, computed);
  return computed;
}
