import type { ApiObject, ObjectKey, Stored } from '../kube/object.ts';

/** Of which add-on on which cluster a work is, as `cluster/addOn`. */
export function addOnOfWork({ metadata }: Stored<ApiObject>): ObjectKey | undefined {
  const addOn = metadata.labels?.['open-cluster-management.io/addon-name'];
  return addOn === undefined ? undefined : `${metadata.namespace ?? ''}/${addOn}`;
}
