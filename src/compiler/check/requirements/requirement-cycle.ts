import { requiresAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { requiredAddOns, requirementCycles } from '../../configure/required-add-ons.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';

/** Reports add-ons that require each other: none of them can be installed first. */
export const requirementCycle: Rule = {
  codes: ['FW4016'],
  *check({ inventory }) {
    for (const cycle of requirementCycles(requiredAddOns(inventory))) {
      const [first = ''] = cycle;
      const addOn = inventory.clusterManagementAddOns.get(first);
      if (addOn === undefined) continue;
      yield diagnostic('FW4016', {
        message: `${[...cycle, first].map(quote).join(' requires ')}: none of them can be installed first`,
        ...pointAt(addOn, ['metadata', 'annotations', requiresAnnotation]),
        hint: 'remove one of these requirements',
        related: cycle.slice(1).flatMap((name) => {
          const other = inventory.clusterManagementAddOns.get(name);
          return other === undefined
            ? []
            : [
                {
                  message: `the requirements of ${quote(name)}`,
                  location: other.origin.locate(['metadata', 'annotations', requiresAnnotation]),
                },
              ];
        }),
      });
    }
  },
};
