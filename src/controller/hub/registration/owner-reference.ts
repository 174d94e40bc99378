import type { ObjectMeta, OwnerReference } from '../../../base/objects/object-meta.ts';
import type { ApiObject, Stored } from '../../../client/object.ts';

/**
 * Returns the owners of an object, including the one with which it is to be deleted, written as the hub's controllers
 * do. Undefined if it already has these owners. As addon-framework AddOwnerReferencesForAddon: another version of the
 * same kind is the same owner.
 *
 * @param apiVersion the API version of the owner
 */
export function withOwner(
  { ownerReferences: existing = [] }: ObjectMeta,
  { kind, metadata: { name, uid } }: Stored<ApiObject>,
  apiVersion: string,
): readonly OwnerReference[] | undefined {
  const named = { apiVersion, kind, name, uid, blockOwnerDeletion: true };
  // The API server accepts only one controlling owner: otherwise anyone who may write owners could block ours with
  // another one.
  const controller = !existing.some((owner) => owner.controller === true && !isSame(owner, named));
  const desired: OwnerReference = { ...named, controller };
  const [only, ...more] = existing.filter((owner) => isSame(owner, desired));
  if (only !== undefined && more.length === 0 && isEqual(only, desired)) return undefined;
  return [...existing.filter((owner) => !isSame(owner, desired)), desired];
}

function isSame(a: OwnerReference, b: Pick<OwnerReference, 'apiVersion' | 'kind' | 'name'>): boolean {
  return a.kind === b.kind && a.name === b.name && groupOf(a.apiVersion) === groupOf(b.apiVersion);
}

function groupOf(apiVersion: string): string {
  return apiVersion.split('/')[0] ?? '';
}

function isEqual(a: OwnerReference, b: OwnerReference): boolean {
  return (
    a.apiVersion === b.apiVersion &&
    a.uid === b.uid &&
    a.controller === b.controller &&
    a.blockOwnerDeletion === b.blockOwnerDeletion
  );
}
