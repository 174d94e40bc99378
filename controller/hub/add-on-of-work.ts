import type { ApiObject, ObjectKey, Stored } from '../kube/object.ts';

/** On works: the add-on that they belong to. */
export const addOnLabel = 'open-cluster-management.io/addon-name';

/** Of which add-on on which cluster a work is, as `cluster/addOn`. */
export function addOnOfWork({ metadata }: Stored<ApiObject>): ObjectKey | undefined {
  const addOn = metadata.labels?.[addOnLabel];
  return addOn === undefined ? undefined : `${metadata.namespace ?? ''}/${addOn}`;
}
