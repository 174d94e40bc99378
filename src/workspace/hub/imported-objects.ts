import { isOfFleetOnHub } from '../../importer/fleet-state.ts';
import type { LoadedObject } from '../../compiler/index.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';

/**
 * Returns the objects of a hub as an app and its fleet contain them. The objects that people wrote belong to the app.
 * Clusters, and objects that the hub created, belong to the fleet.
 */
export function asAppAndFleet(hubObjects: readonly LoadedObject[]): LoadedObject[] {
  const installed = new Set(
    hubObjects.flatMap(({ object }) => (installsByPlacements(object) ? [object.metadata.name] : [])),
  );
  return hubObjects.map((loaded): LoadedObject => {
    const { object } = loaded;
    const isGenerated =
      isOfFleetOnHub(object) || (isUnconfigured(object) && installed.has(object.metadata.name));
    return { ...loaded, source: isGenerated ? 'fleet' : 'app' };
  });
}

/** As in OCM's addonmanagement: the hub creates the ManagedClusterAddOns of such an add-on. */
function installsByPlacements({ kind, spec }: KubernetesObject): boolean {
  const { installStrategy } = (spec ?? {}) as { readonly installStrategy?: { readonly type?: string } };
  return kind === 'ClusterManagementAddOn' && installStrategy?.type === 'Placements';
}

/** Whether a ManagedClusterAddOn has no settings of a user. */
function isUnconfigured({ kind, spec }: KubernetesObject): boolean {
  const { configs = [] } = (spec ?? {}) as { readonly configs?: readonly object[] };
  return kind === 'ManagedClusterAddOn' && configs.length === 0;
}
