import { compareUtf8 } from '../../../encoding/go-json.ts';
import { installPlacements } from '../../api/install-strategy.ts';
import { objectKey } from '../../inventory.ts';
import type { CheckInput } from '../rule.ts';

/**
 * The add-ons that the hub installs where a placement says: names, sorted, by `namespace/name` of the Placement. An
 * add-on counts for all placements of its install strategy, whether they exist or not.
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
    for (const key of new Set(keys)) {
      const names = addOns.get(key);
      if (names) names.push(name);
      else addOns.set(key, [name]);
    }
  }
  return addOns;
}

/** `add-on "a"`, or `2 add-ons ("a", "b")`; the first three by name. */
export function addOnWords(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => `"${name}"`);
  if (names.length === 1) return `add-on ${shown.join('')}`;
  return `${names.length} add-ons (${shown.join(', ')}${names.length > shown.length ? ', …' : ''})`;
}
