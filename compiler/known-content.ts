import type { KubernetesObject } from '../schemas/object-meta.ts';
import type { AdmittedContent } from './admit/admit-object.ts';
import type { WrittenDocument } from './load/yaml-document.ts';

/**
 * What was loaded and admitted before, by its content. States of one repository have most of their files in common, and
 * most items of a fleet snapshot: given the same `KnownContent`, loading them again gives the same objects, and admitting
 * those again costs nothing. Only what depends on nothing but the content is kept: places are each file's own.
 */
export interface KnownContent {
  /** Documents in which nothing was found, by their text. Offsets count from the start of that text. */
  readonly documents: Map<string, readonly WrittenDocument[]>;
  /** Items of JSON lists and objects of constructs, by their JSON text. */
  readonly objects: Map<string, unknown>;
  /** By identity: `documents` and `objects` see to it that the same content is the same object. */
  readonly admissions: Map<KubernetesObject, AdmittedContent>;
}

export function noKnownContent(): KnownContent {
  return { documents: new Map(), objects: new Map(), admissions: new Map() };
}

/** The value that is known for a text; `value` itself where none is. */
export function shared<T>(known: Map<string, unknown>, text: string, value: T): T {
  // equal texts were read by the same rules, so that what is known is of the same shape
  const earlier = known.get(text) as T | undefined;
  if (earlier !== undefined) return earlier;
  known.set(text, value);
  return value;
}
