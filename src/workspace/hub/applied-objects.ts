import type { LoadedObject } from '../../compiler/index.ts';
import { isWrittenKind } from '../../compiler/model/hub-owned.ts';
import { deliveryAnnotation } from '../../ocm/fleetwright-annotations.ts';

/**
 * Returns the objects of a hub as a working tree that is applied completely: what people or Git wrote belongs to an app, and is
 * compared. The ManagedClusterAddOns of compiled delivery contain what Git configures on one cluster, and belong to it too.
 */
export function asApplied(held: readonly LoadedObject[]): readonly LoadedObject[] {
  return held.map((loaded): LoadedObject => {
    const { kind, metadata } = loaded.object;
    const isCompiled = metadata.annotations?.[deliveryAnnotation] === 'compiled';
    return isWrittenKind(kind) || isCompiled ? { ...loaded, source: 'app' } : loaded;
  });
}
