import { goJson } from '../../base/json/go-json.ts';
import type { LoadedObject } from './inventory.ts';
import { groupOf } from '../../base/names/resource-name.ts';

/**
 * Returns the objects after others were applied. An object with the same group, kind, namespace and name is replaced in its
 * position; new objects come last. If app and fleet both have an object, the app's object is replaced.
 */
export function updatedObjects(
  objects: readonly LoadedObject[],
  update: readonly LoadedObject[],
): LoadedObject[] {
  const replacements = new Map(update.map((loaded) => [identityOf(loaded), loaded]));
  const replaceable = new Map<string, LoadedObject>();
  for (const loaded of objects) {
    const identity = identityOf(loaded);
    if (replacements.has(identity) && replaceable.get(identity)?.source !== 'app')
      replaceable.set(identity, loaded);
  }
  const added = update.filter((loaded) => !replaceable.has(identityOf(loaded)));
  return [
    ...objects.map((loaded) => {
      const identity = identityOf(loaded);
      const replacement = replaceable.get(identity) === loaded ? replacements.get(identity) : undefined;
      return replacement === undefined ? loaded : { ...replacement, source: loaded.source };
    }),
    ...added,
  ];
}

/** Identifies a written object, of which any field may be missing. kubectl puts objects without a namespace into `default`. */
function identityOf({ object: { apiVersion, kind, metadata } }: LoadedObject): string {
  const group = typeof apiVersion === 'string' ? groupOf(apiVersion) : '';
  return goJson([group, kind ?? null, metadata?.namespace ?? 'default', metadata?.name ?? null]);
}
