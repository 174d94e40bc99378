import { addToGroup } from '../../../base/collections/groups.ts';
import { compareUtf8 } from '../../../base/json/go-json.ts';
import { installPlacements } from '../../../ocm/install-strategy.ts';
import { objectKey } from '../../model/inventory.ts';
import type { CheckInput } from '../rule.ts';

/**
 * Returns the add-ons that the hub installs by placement: sorted names per `namespace/name` of the Placement. An add-on counts
 * for all placements of its install strategy, including missing ones.
 */
export function addOnsByPlacement({
  inventory,
  configuration,
}: Omit<CheckInput, 'decisions'>): ReadonlyMap<string, readonly string[]> {
  const addOns = new Map<string, string[]>();
  for (const name of [...configuration.keys()].sort(compareUtf8)) {
    const addOn = inventory.clusterManagementAddOns.get(name);
    if (addOn === undefined || configuration.get(name)?.managed !== true) continue;
    const keys = installPlacements(addOn.object).map(({ namespace, name }) => objectKey(namespace, name));
    for (const key of new Set(keys)) addToGroup(addOns, key, name);
  }
  return addOns;
}

/** Returns `add-on "a"`, or `2 add-ons ("a", "b")`, with the first three names. */
export function addOnWords(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => `"${name}"`);
  if (names.length === 1) return `add-on ${shown.join('')}`;
  return `${names.length} add-ons (${shown.join(', ')}${names.length > shown.length ? ', …' : ''})`;
}
