import type { WrittenDocument } from './yaml-document.ts';

/** What was loaded before, by its text. Only what depends on nothing but the text is kept: places are each file's own. */
export interface KnownTexts {
  /** Documents in which nothing was found. Offsets count from the start of the text. */
  readonly documents: Map<string, readonly WrittenDocument[]>;
  /** Items of JSON lists and objects of constructs, by their JSON text. */
  readonly objects: Map<string, unknown>;
}

/** The value that is known for a text; `value` itself where none is. */
export function shared<T>(known: Map<string, unknown>, text: string, value: T): T {
  // equal texts were read by the same rules, so that what is known is of the same shape
  const earlier = known.get(text) as T | undefined;
  if (earlier !== undefined) return earlier;
  known.set(text, value);
  return value;
}
