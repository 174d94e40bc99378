import { codes, type Code } from './codes.ts';
import type { Inventory } from './inventory.ts';

/**
 * Whether the inputs describe the fleet: clusters, or the cluster sets and bindings that every fleet snapshot has. Without them
 * the clusters are unknown. That differs from a fleet without clusters.
 */
export function hasFleet({
  managedClusters,
  managedClusterSets,
  managedClusterSetBindings,
}: Pick<Inventory, 'managedClusters' | 'managedClusterSets' | 'managedClusterSetBindings'>): boolean {
  if (managedClusters.size > 0) return true;
  return [...managedClusterSets.values(), ...managedClusterSetBindings.values()].some(
    ({ source }) => source === 'fleet',
  );
}

/** The codes of findings that need a fleet. Without one they would report everything as missing, or nothing. */
export const fleetCodes: ReadonlySet<Code> = new Set(
  (Object.keys(codes) as Code[]).filter((code) => 'needsFleet' in codes[code]),
);
