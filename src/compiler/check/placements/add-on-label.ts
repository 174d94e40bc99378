import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { selectorTerms } from './selector-terms.ts';
import type { Rule } from '../rule.ts';

/** The labels in which the hub records the add-ons of a cluster and their health. */
export const addOnLabelPrefix = 'feature.open-cluster-management.io/addon-';

/** Reports placements that select by a label that the hub maintains. Their decisions change with the health of an add-on. */
export const addOnLabel: Rule = {
  codes: ['FW7021'],
  *check({ inventory }) {
    for (const placement of inventory.placements.values()) {
      for (const { kind, requirement, path } of selectorTerms(placement.object.spec)) {
        if (kind !== 'label' || !requirement.key.startsWith(addOnLabelPrefix)) continue;
        yield diagnostic('FW7021', {
          message: `the hub sets label ${requirement.key} from the health of the add-on; this prediction uses its value in the fleet snapshot`,
          ...pointAt(placement, path),
          hint: 'refresh the fleet snapshot before you rely on the selection',
        });
      }
    }
  },
};
