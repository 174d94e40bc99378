import { placementLabel } from './api/labels.ts';
import { groupOf } from './api/resource-name.ts';
import { identityText } from './elsewhere.ts';
import type { LoadedObject } from './inventory.ts';

/**
 * The objects without those of the fleet that an app had in an earlier state and has no longer: the GitOps engine deletes
 * them, and with a Placement its decisions go. A ManagedClusterAddOn stays: it is the hub's where placements install the add-on.
 *
 * @param gone - by `identityText`
 */
export function withoutGone(
  objects: readonly LoadedObject[],
  gone: ReadonlySet<string> = new Set(),
): readonly LoadedObject[] {
  return gone.size === 0 ? objects : objects.filter((loaded) => !isGone(loaded, gone));
}

function isGone({ object, source }: LoadedObject, gone: ReadonlySet<string>): boolean {
  const { apiVersion, kind, metadata } = object;
  // Nothing has been validated yet.
  if (source !== 'fleet' || typeof apiVersion !== 'string' || kind === 'ManagedClusterAddOn') return false;
  const group = groupOf(apiVersion);
  const { namespace, name = '', labels } = metadata ?? {};
  const isIn = (identified: { readonly kind: string; readonly name: string }): boolean =>
    gone.has(identityText({ group, ...(namespace === undefined ? {} : { namespace }), ...identified }));
  const placement = kind === 'PlacementDecision' ? labels?.[placementLabel] : undefined;
  return isIn({ kind, name }) || (placement !== undefined && isIn({ kind: 'Placement', name: placement }));
}
