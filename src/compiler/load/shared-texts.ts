import type { LoadedFiles } from './loaded-files.ts';
import type { RecentTexts } from '../../base/collections/recent-texts.ts';
import type { JsonMemory } from './json/json-memory.ts';
import type { LocatedDocument } from './yaml/yaml-document.ts';

/**
 * What was loaded before. The values are cached by their text, because they depend on nothing else; the objects with their locations are
 * cached per file.
 */
export interface SharedTexts {
  /**
   * Documents without findings. Offsets count from the start of the text.
   *
   * @internal
   */
  readonly documents: RecentTexts<readonly LocatedDocument[]>;
  /**
   * Items of JSON lists and objects of constructs, by their JSON text.
   *
   * @internal
   */
  readonly objects: RecentTexts<unknown>;
  /**
   * What the last JSON texts had, to compare the next ones with.
   *
   * @internal
   */
  readonly json: JsonMemory;
  /**
   * The last versions of each file.
   *
   * @internal
   */
  readonly files: LoadedFiles;
}

/** Returns the cached value of a text; `value` itself if there is none. */
export function shared<T>(cache: RecentTexts<unknown>, text: string, value: T): T {
  // equal texts were read by the same rules, so the cached value has the same shape
  const earlier = cache.get(text) as T | undefined;
  if (earlier !== undefined) return earlier;
  cache.set(text, value);
  return value;
}
