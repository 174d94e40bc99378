import type { ApiObject, ObjectKey, Stored } from '../../kubernetes/client/object.ts';
import { addOnNameLabel } from '../../ocm/labels.ts';

/** Returns the add-on and cluster of a work, as `cluster/addOn`. */
export function addOnOfWork({ metadata }: Stored<ApiObject>): ObjectKey | undefined {
  const addOn = metadata.labels?.[addOnNameLabel];
  return addOn === undefined ? undefined : `${metadata.namespace ?? ''}/${addOn}`;
}
