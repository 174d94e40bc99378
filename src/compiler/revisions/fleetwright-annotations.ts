import * as annotations from '../../ocm/fleetwright-annotations.ts';
import { historyLimitAnnotation, immutableAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { isJsonMap } from '../../base/json/json-map.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import type { LoadedObject } from '../model/inventory.ts';
import { closest } from '../model/suggestion.ts';
import { listed, quote } from '../model/words.ts';
import { pointAtLoaded } from './point-at-loaded.ts';

const prefix = 'fleetwright.dev/';

/** The words after the prefix, of all annotations of Fleetwright. */
const words: ReadonlySet<string> = new Set(
  Object.values(annotations).flatMap((value) =>
    typeof value === 'string' && value.startsWith(prefix) ? [value.slice(prefix.length)] : [],
  ),
);

/** The annotations that users write. The others are written by commands and by the companion. */
const written: readonly string[] = [
  annotations.deliveryAnnotation,
  annotations.healthAnnotation,
  immutableAnnotation,
  annotations.overrideAnnotation,
  annotations.preDeleteHooksAnnotation,
  annotations.requiresAnnotation,
  historyLimitAnnotation,
  annotations.rolloutAnnotation,
  annotations.sharedWithAnnotation,
];

/**
 * Reports annotations of an object that look like those of Fleetwright and are not: nothing reads them, so their effect would be
 * missing without a word.
 */
export function annotationFaults(loaded: LoadedObject): Diagnostic[] {
  const metadata: unknown = loaded.object.metadata;
  if (!isJsonMap(metadata)) return [];
  const faults: Diagnostic[] = [];
  const report = (field: string, key: string, message: string, hint: string): unknown =>
    faults.push(diagnostic('FW2060', { message, ...pointAtLoaded(loaded, ['metadata', field, key]), hint }));
  for (const [key, value] of entries(metadata['annotations'])) {
    const meant = meantBy(key);
    if (meant !== undefined) report('annotations', key, `Fleetwright has no annotation ${quote(key)}`, meant);
    else if (key === immutableAnnotation && typeof value === 'string' && !/^(?:true|false)$/.test(value))
      report('annotations', key, `${key} cannot be ${quote(value)}`, `set it to 'true', or remove it`);
    else if (
      key === annotations.rolloutAnnotation &&
      typeof value === 'string' &&
      value !== annotations.promotedRollout
    )
      report(
        'annotations',
        key,
        `${key} cannot be ${quote(value)}`,
        `set it to '${annotations.promotedRollout}', or remove it`,
      );
    else if (key === historyLimitAnnotation && typeof value === 'string' && !/^\d{1,4}$/.test(value))
      report(
        'annotations',
        key,
        `${key} cannot be ${quote(value)}`,
        "set the number of earlier revisions to keep, as a string such as '5'",
      );
  }
  for (const [key] of entries(metadata['labels']))
    if (key.startsWith(prefix) && words.has(key.slice(prefix.length)))
      report(
        'labels',
        key,
        `${key} is a label, and has an effect only as an annotation`,
        'move it to metadata.annotations',
      );
  return faults;
}

/** Returns the hint for a key that is meant as an annotation of Fleetwright; undefined if it is one, or of something else. */
function meantBy(key: string): string | undefined {
  const slash = key.indexOf('/');
  const domain = key.slice(0, Math.max(slash, 0)).toLowerCase();
  const word = key.slice(slash + 1);
  if (`${domain}/` !== prefix) {
    const isMeant = words.has(word) && /^(?:www\.)?fleet-?w?right\b/.test(domain);
    return isMeant ? `did you mean ${quote(`${prefix}${word}`)}?` : undefined;
  }
  if (words.has(word) && key.startsWith(prefix)) return undefined;
  const similar = closest(word, words);
  return similar === undefined
    ? `the annotations that you can set are ${listed(written)}`
    : `did you mean ${quote(`${prefix}${similar}`)}?`;
}

function entries(map: unknown): readonly (readonly [string, unknown])[] {
  return isJsonMap(map) ? Object.entries(map) : [];
}
