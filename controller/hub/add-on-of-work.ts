import type { ApiObject, ObjectKey, Stored } from '../kube/object.ts';

/** The label of works with the add-on that they belong to. */
export const addOnLabel = 'open-cluster-management.io/addon-name';

/** Returns the add-on and cluster of a work, as `cluster/addOn`. */
export function addOnOfWork({ metadata }: Stored<ApiObject>): ObjectKey | undefined {
  const addOn = metadata.labels?.[addOnLabel];
  return addOn === undefined ? undefined : `${metadata.namespace ?? ''}/${addOn}`;
}
