import type { JsonMemory } from './json/json-memory.ts';
import type { LocatedDocument } from './yaml/yaml-document.ts';

/**
 * The values that were loaded before, by their text. Only values that depend on nothing but the text are cached: locations belong
 * to each file.
 */
export interface SharedTexts {
  /**
   * Documents without findings. Offsets count from the start of the text.
   *
   * @internal
   */
  readonly documents: Map<string, readonly LocatedDocument[]>;
  /**
   * Items of JSON lists and objects of constructs, by their JSON text.
   *
   * @internal
   */
  readonly objects: Map<string, unknown>;
  /**
   * What the last JSON texts had, to compare the next ones with.
   *
   * @internal
   */
  readonly json: JsonMemory;
}

/** Returns the cached value of a text; `value` itself if there is none. */
export function shared<T>(cache: Map<string, unknown>, text: string, value: T): T {
  // equal texts were read by the same rules, so the cached value has the same shape
  const earlier = cache.get(text) as T | undefined;
  if (earlier !== undefined) return earlier;
  cache.set(text, value);
  return value;
}
