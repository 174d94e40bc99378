import { objectKey, type Inventory } from '../model/inventory.ts';
import { deliveryOf } from './delivery.ts';

/**
 * Returns the Placements (`namespace/name`) of add-ons with compiled delivery. Their clusters are those for which the output has
 * works. Output is compiled from the objects of Git alone, so that it remembers nothing.
 */
export function compiledPlacements({
  clusterManagementAddOns,
}: Pick<Inventory, 'clusterManagementAddOns'>): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { object } of clusterManagementAddOns.values()) {
    if (deliveryOf(object) !== 'compiled') continue;
    for (const { namespace, name } of object.spec.installStrategy?.placements ?? [])
      keys.add(objectKey(namespace, name));
  }
  return keys;
}
