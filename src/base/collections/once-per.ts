import { getOrInsertComputed } from './get-or-insert.ts';

/**
 * Returns a function that computes the items of an object once, and keeps them as long as the object exists. States of one workspace have
 * most objects in common. The items must depend on nothing but the object.
 */
export function oncePer<K extends object, T>(itemsOf: (key: K) => Iterable<T>): (key: K) => readonly T[] {
  const kept = new WeakMap<K, readonly T[]>();
  return (key) => getOrInsertComputed(kept, key, () => [...itemsOf(key)]);
}
