import { diagnostic } from '../../model/diagnostic.ts';
import { installPlacements } from '../../../ocm/install-strategy.ts';
import { objectKey } from '../../model/inventory.ts';
import { unansweredReference } from '../../model/missing-object.ts';
import { missingPlacementHint } from './missing-placement-hint.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';
import { clusterGroup } from '../../../../schemas/groups.ts';

/** Reports install strategies with a Placement that does not exist. */
export const missingPlacement: Rule = {
  codes: ['FW7003', 'FW7026'],
  *check({ inventory, configuration, decisions }) {
    for (const [name, addOn] of inventory.clusterManagementAddOns) {
      if (configuration.get(name)?.managed !== true) continue;
      for (const [index, placement] of installPlacements(addOn.object).entries()) {
        const key = objectKey(placement.namespace, placement.name);
        if (decisions.byPlacement.has(key)) continue;
        const identity = { ...placement, group: clusterGroup, kind: 'Placement' };
        const existence = inventory.elsewhere.existence(identity);
        if (existence === 'exists') continue;
        const at = pointAt(addOn, ['spec', 'installStrategy', 'placements', index]);
        yield existence === 'unknown'
          ? diagnostic('FW7026', { ...unansweredReference(identity, inventory.elsewhere), ...at })
          : diagnostic('FW7003', {
              message: `Placement "${key}" does not exist: the hub uninstalls the add-on from clusters that no other placement selects, and configures it on no cluster`,
              ...at,
              hint: missingPlacementHint(key, decisions.byPlacement.keys(), 'its name or namespace'),
            });
      }
    }
  },
};
