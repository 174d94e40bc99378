import { deliveryAnnotation, ownConfigsAnnotation } from '../ocm/fleetwright-annotations.ts';
import { isJsonMap } from '../base/json/json-map.ts';
import { uncompiled } from '../compiler/deliver/uncompiled.ts';
import type { LoadedObject } from '../compiler/model/inventory.ts';

/**
 * Returns the objects that a user wrote, without the objects that compiled delivery generated: works, and ManagedClusterAddOns
 * without separate settings on clusters that placements select. Synth generates these again.
 */
export function withoutCompiledOutput(loaded: readonly LoadedObject[]): readonly LoadedObject[] {
  const installedByPlacements = new Set<string | undefined>();
  for (const { object } of loaded) {
    if (object.kind !== 'ClusterManagementAddOn' || !isCompiled(object)) continue;
    const strategy = isJsonMap(object['spec']) ? object['spec']['installStrategy'] : undefined;
    if (isJsonMap(strategy) && strategy['type'] === 'Placements')
      installedByPlacements.add(object.metadata.name);
  }
  return uncompiled(
    loaded.filter(({ object }) => {
      if (object.kind !== 'ManagedClusterAddOn' || !isCompiled(object)) return true;
      const { name, annotations } = object.metadata;
      return annotations?.[ownConfigsAnnotation] !== undefined || !installedByPlacements.has(name);
    }),
  );
}

function isCompiled({ metadata }: LoadedObject['object']): boolean {
  return metadata?.annotations?.[deliveryAnnotation] === 'compiled';
}
