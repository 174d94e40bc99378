import type { KnownAdmissions } from './admit/admit-object.ts';
import type { KnownTexts } from './load/known-texts.ts';

/**
 * What was loaded and admitted before. States of one repository have most of their files in common, and most items of a fleet
 * snapshot: given the same `KnownContent`, loading them again gives the same objects, and admitting those again costs nothing.
 */
export type KnownContent = KnownTexts & KnownAdmissions;

export function noKnownContent(): KnownContent {
  return { documents: new Map(), objects: new Map(), admissions: new Map() };
}
