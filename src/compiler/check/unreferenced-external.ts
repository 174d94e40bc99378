import { objectReferences, type NamedObject } from './object-references.ts';
import { guessResource } from '../../base/names/resource-name.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { isMeant, type ExternalObject, type ObjectIdentity } from '../model/elsewhere.ts';
import { objectKey, type Inventory } from '../model/inventory.ts';

/**
 * Reports entries of `external` that nothing refers to: a misspelled name, or an object that is no longer needed.
 *
 * @param inventories - of all apps of the repository, because an entry applies to all of them
 */
export function unreferencedExternal(
  external: readonly ExternalObject[],
  inventories: readonly Inventory[],
): Diagnostic[] {
  if (external.length === 0) return [];
  const open = new Set(external);
  for (const inventory of inventories)
    for (const named of objectReferences(inventory))
      for (const entry of open) if (isReferredTo(entry, named)) open.delete(entry);
  return [...open].map(({ kind, namespace, name, location }) =>
    diagnostic('FW7027', {
      message: `nothing refers to the external ${kind} "${objectKey(namespace, name)}"`,
      ...(location === undefined ? {} : { location }),
      hint: 'correct the kind, namespace or name of the entry, or remove it',
    }),
  );
}

function isReferredTo(entry: ExternalObject, named: NamedObject): boolean {
  if (!('resource' in named)) return isMeant({ ...entry, ...anyOf(named) }, named);
  return guessResource(entry.kind) === named.resource && isMeant(entry, { ...named, kind: entry.kind });
}

/** A reference without a name, or without a namespace if it has no name, can be to any object. */
function anyOf({ name, namespace }: ObjectIdentity): Partial<ExternalObject> {
  if (name !== undefined) return {};
  return namespace === undefined ? { name: '*', namespace: '*' } : { name: '*' };
}
