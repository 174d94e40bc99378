import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';

/** Reports sets that select by labels but have no label selector. */
export const setWithoutSelector: Rule = {
  codes: ['FW7019'],
  *check({ inventory }) {
    for (const set of inventory.managedClusterSets.values()) {
      const { selectorType, labelSelector } = set.object.spec?.clusterSelector ?? {};
      if (selectorType !== 'LabelSelector' || labelSelector !== undefined) continue;
      yield diagnostic('FW7019', {
        message: 'the set has selectorType LabelSelector and no labelSelector, so it has no clusters',
        ...pointAt(set, ['spec', 'clusterSelector']),
        hint: 'add a labelSelector; an empty one, {}, selects all clusters',
      });
    }
  },
};
