import type { OwnerReference } from '../../../base/objects/object-meta.ts';
import type { ReadMeta } from './object-meta.ts';

/**
 * Returns metadata without identical duplicates of owner references. As apiserver handlers dedupOwnerReferences, which runs
 * before validation: the same controller twice is one controller.
 */
export function withDistinctOwners<T extends ReadMeta>(meta: T): T {
  const { ownerReferences } = meta;
  if (ownerReferences === undefined) return meta;
  const distinct = new Map(ownerReferences.map((owner) => [identity(owner), owner]));
  return distinct.size === ownerReferences.length
    ? meta
    : { ...meta, ownerReferences: [...distinct.values()] };
}

function identity({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string {
  return JSON.stringify([apiVersion, kind, name, uid, controller ?? null, blockOwnerDeletion ?? null]);
}
