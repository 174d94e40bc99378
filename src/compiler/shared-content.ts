import { noAdmissions, type SharedAdmissions } from './admit/admit-object.ts';
import { LoadedFiles } from './load/loaded-files.ts';
import { RecentTexts } from '../base/collections/recent-texts.ts';
import { JsonMemory } from './load/json/json-memory.ts';
import type { SharedTexts } from './load/shared-texts.ts';

/**
 * A cache of loaded and admitted objects. States of one repository have most files and most items of a fleet snapshot in common.
 * With the same `SharedContent`, loading them again returns the same objects, and admitting these again costs nothing.
 */
export type SharedContent = SharedTexts & SharedAdmissions;

/** Returns an empty cache. Pass the same one to `load`, `loadConstructs` and `resolve` for all states that are compared. */
export function emptySharedContent(): SharedContent {
  return {
    documents: new RecentTexts(),
    objects: new RecentTexts(),
    json: new JsonMemory(),
    files: new LoadedFiles(),
    ...noAdmissions(),
  };
}
