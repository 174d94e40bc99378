import { rbac, type RoleBinding as WrittenRoleBinding } from '../../../ocm/role-binding.ts';
import type { ApiObject, Stored } from '../../../client/object.ts';
import { sharedMetadata, withoutAbsent, type EqualValues } from '../../cache/equal-values.ts';
import { namespacedResource } from '../../../client/resource.ts';

/** A RoleBinding on the hub, of any writer. */
export interface RoleBinding extends ApiObject {
  readonly roleRef?: Partial<WrittenRoleBinding['roleRef']>;
  readonly subjects?: readonly RoleSubject[];
}

interface RoleSubject {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

export const roleBindings = namespacedResource<RoleBinding>(`${rbac}/v1`, 'RoleBinding', 'rolebindings');

/** Returns the part of a binding of an add-on to cache. */
export function cachedBinding(
  { apiVersion, kind, metadata, roleRef, subjects }: Stored<RoleBinding>,
  equal: EqualValues,
): Stored<RoleBinding> {
  const { labels, ownerReferences } = metadata;
  return withoutAbsent<Stored<RoleBinding>>({
    apiVersion: equal.one(apiVersion),
    kind: equal.one(kind),
    metadata: sharedMetadata(
      metadata,
      {
        labels: labels && equal.texts(labels),
        ownerReferences: ownerReferences?.map((owner) => equal.texts(owner)),
      },
      equal,
    ),
    roleRef: equal.one(roleRef),
    subjects: subjects && equal.list(subjects),
  });
}
