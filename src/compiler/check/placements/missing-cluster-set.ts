import { diagnostic } from '../../model/diagnostic.ts';
import { orExternal } from '../../model/missing-object.ts';
import { pointAt } from '../../model/point-at.ts';
import { closest } from '../../model/suggestion.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';
import { clusterGroup } from '../../../../schemas/groups.ts';

/** Reports bindings to a set that does not exist. */
export const missingClusterSet: Rule = {
  codes: ['FW7004'],
  *check({ inventory, decisions }) {
    for (const binding of inventory.managedClusterSetBindings.values()) {
      const { name = '' } = binding.object.metadata;
      // A separate rule reports bindings whose name differs from the name of the set.
      if (binding.object.spec?.clusterSet !== name || decisions.scheduler.sets.exists(name)) continue;
      const identity = { group: clusterGroup, kind: 'ManagedClusterSet', name };
      if (inventory.elsewhere.existence(identity) === 'exists') continue;
      const meant = closest(name, inventory.managedClusterSets.keys());
      yield diagnostic('FW7004', {
        message: `ManagedClusterSet "${name}" does not exist, so the binding has no effect`,
        ...pointAt(binding, ['metadata', 'name']),
        hint: meant === undefined ? `create the set, ${orExternal}` : `did you mean ${quote(meant)}?`,
      });
    }
  },
};
