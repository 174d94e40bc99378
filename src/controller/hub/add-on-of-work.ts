import type { ApiObject, ObjectKey, Stored } from '../../client/object.ts';
import { addOnNamespaceLabel } from '../../ocm/hosted-mode.ts';
import { addOnNameLabel } from '../../ocm/labels.ts';

/** Returns the add-on and cluster of a work, as `cluster/addOn`. A work for a hosting cluster names the add-on's cluster in a label. */
export function addOnOfWork({ metadata }: Stored<ApiObject>): ObjectKey | undefined {
  const addOn = metadata.labels?.[addOnNameLabel];
  const cluster = metadata.labels?.[addOnNamespaceLabel] ?? metadata.namespace ?? '';
  return addOn === undefined ? undefined : `${cluster}/${addOn}`;
}
