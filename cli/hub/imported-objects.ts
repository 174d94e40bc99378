import { isFleetKind } from '../../compiler/import/kinds.ts';
import type { LoadedObject } from '../../compiler/inventory.ts';
import type { KubernetesObject } from '../../schemas/object-meta.ts';

/**
 * The objects of a hub as an app and its fleet have them: what people wrote is the app's, what clusters are and what the hub
 * made itself is the fleet's.
 */
export function asAppAndFleet(held: readonly LoadedObject[]): LoadedObject[] {
  const installed = new Set(
    held.flatMap(({ object }) => (installsByPlacements(object) ? [object.metadata.name] : [])),
  );
  return held.map((loaded): LoadedObject => {
    const { object } = loaded;
    const isMade = isFleetKind(object) || (isUnconfigured(object) && installed.has(object.metadata.name));
    return { ...loaded, source: isMade ? 'fleet' : 'app' };
  });
}

/** As OCM's addonmanagement: such an add-on has its ManagedClusterAddOns from the hub. */
function installsByPlacements({ kind, spec }: KubernetesObject): boolean {
  const { installStrategy } = (spec ?? {}) as { readonly installStrategy?: { readonly type?: string } };
  return kind === 'ClusterManagementAddOn' && installStrategy?.type === 'Placements';
}

/** A ManagedClusterAddOn in which nobody has written anything. */
function isUnconfigured({ kind, spec }: KubernetesObject): boolean {
  const { configs = [] } = (spec ?? {}) as { readonly configs?: readonly object[] };
  return kind === 'ManagedClusterAddOn' && configs.length === 0;
}
