import { placementLabel } from '../../ocm/labels.ts';
import { groupOf } from '../../base/names/resource-name.ts';
import { identityText } from './elsewhere.ts';
import type { LoadedObject } from './inventory.ts';

/**
 * Returns the objects without the fleet objects that an app had in an earlier state and no longer has. The GitOps engine deletes
 * them; deleting a Placement also deletes its decisions. A ManagedClusterAddOn stays, because the hub owns it if placements
 * install the add-on.
 *
 * @param gone - by `identityText`
 */
export function withoutRemoved(
  objects: readonly LoadedObject[],
  gone: ReadonlySet<string> = new Set(),
): readonly LoadedObject[] {
  return gone.size === 0 ? objects : objects.filter((loaded) => !isRemoved(loaded, gone));
}

function isRemoved({ object, source }: LoadedObject, gone: ReadonlySet<string>): boolean {
  const { apiVersion, kind, metadata } = object;
  // The object has not been validated yet.
  if (source !== 'fleet' || typeof apiVersion !== 'string' || typeof kind !== 'string') return false;
  if (kind === 'ManagedClusterAddOn') return false;
  const group = groupOf(apiVersion);
  const { namespace, name = '', labels } = metadata ?? {};
  const isIn = (identified: { readonly kind: string; readonly name: string }): boolean =>
    gone.has(identityText({ group, ...(namespace === undefined ? {} : { namespace }), ...identified }));
  const placement = kind === 'PlacementDecision' ? labels?.[placementLabel] : undefined;
  return isIn({ kind, name }) || (placement !== undefined && isIn({ kind: 'Placement', name: placement }));
}
