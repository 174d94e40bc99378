import { textAt } from '../api/placement-references.ts';
import type { Admitted } from '../model/inventory.ts';

/** What an ApplicationSet does with Applications that exist. As ApplicationsSyncPolicy of Argo CD, whose default is `sync`. */
export function syncPolicyOf({ object }: Admitted): { readonly updates: boolean; readonly deletes: boolean } {
  const policy = textAt(object, ['spec', 'syncPolicy', 'applicationsSync']) ?? 'sync';
  return {
    updates: policy === 'sync' || policy === 'create-update',
    deletes: policy === 'sync' || policy === 'create-delete',
  };
}
