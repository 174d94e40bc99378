import { isSameList, isSameMap, RememberedSame } from '../../base/collections/remembered.ts';
import type { Inventory } from '../model/inventory.ts';

const remembered = new RememberedSame<Inventory>(
  (one, other) =>
    fields.every((field) => one[field] === other[field]) && one.managerProfiles === other.managerProfiles,
);

const mapNames = [
  'clusterManagementAddOns',
  'managedClusterAddOns',
  'addOnTemplates',
  'addOnDeploymentConfigs',
  'managedClusters',
  'managedClusterSets',
  'managedClusterSetBindings',
  'placements',
  'placementDecisions',
  'addOnPlacementScores',
] as const;
const fields = [...mapNames, 'others', 'objects', 'elsewhere'] as const;

type AnyMap = ReadonlyMap<string, unknown>;

const maps = new Map(mapNames.map((name) => [name, new RememberedSame<AnyMap>(isSameMap)]));
const lists = {
  others: new RememberedSame<readonly unknown[]>(isSameList),
  objects: new RememberedSame<readonly unknown[]>(isSameList),
};

/**
 * Returns an inventory in which each kind that has the objects of an earlier state is the map of that state, so that what depends on
 * nothing else need not be computed again.
 *
 * @param owner - keeps the maps: the cache of an app. Undefined to compare with nothing
 */
export function withEarlierMaps(inventory: Inventory, owner: object | undefined): Inventory {
  if (owner === undefined) return inventory;
  const same: Partial<Record<(typeof fields)[number], unknown>> = {
    others: lists.others.of(owner, inventory.others),
    objects: lists.objects.of(owner, inventory.objects),
  };
  for (const [name, earlier] of maps) same[name] = earlier.of(owner, inventory[name]);
  // Each value has the content of the one that it replaces.
  return remembered.of(owner, { ...inventory, ...(same as Partial<Inventory>) });
}
