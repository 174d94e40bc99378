import { diagnostic } from '../../model/diagnostic.ts';
import { placementFollowers } from '../../api/placement-followers.ts';
import type { Admitted } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';

/** Reports references to a PlacementRule. The kind is deprecated, and Fleetwright does not predict its decisions. */
export const placementRule: Rule = {
  codes: ['FW7025'],
  *check({ inventory }) {
    const reported = new Set<Admitted>();
    for (const { references } of placementFollowers(inventory)) {
      for (const { kind, key, holder, path } of references) {
        if (kind !== 'PlacementRule' || reported.has(holder)) continue;
        reported.add(holder);
        yield diagnostic('FW7025', {
          message: `PlacementRule "${key}" is deprecated, and Fleetwright does not predict which clusters it selects`,
          ...pointAt(holder, path),
          hint: 'replace it with a Placement and a ManagedClusterSetBinding in the same namespace',
        });
      }
    }
  },
};
