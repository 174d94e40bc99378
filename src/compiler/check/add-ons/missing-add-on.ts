import { addOnGroup } from '../../../../schemas/groups.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { referenceTo } from '../../model/inventory.ts';
import { orExternal, unansweredReference } from '../../model/missing-object.ts';
import { pointAt } from '../../model/point-at.ts';
import { quote } from '../../model/words.ts';
import { closest } from '../../model/suggestion.ts';
import type { Rule } from '../rule.ts';

/**
 * Reports ManagedClusterAddOns of the app without a ClusterManagementAddOn. A fleet snapshot has the ManagedClusterAddOns of all
 * add-ons of the hub, including those of other apps.
 */
export const missingAddOn: Rule = {
  codes: ['FW4005', 'FW7026'],
  *check({ inventory: { managedClusterAddOns, clusterManagementAddOns, elsewhere } }) {
    for (const managedClusterAddOn of managedClusterAddOns.values()) {
      const { name = '' } = managedClusterAddOn.object.metadata;
      if (managedClusterAddOn.source !== 'app' || clusterManagementAddOns.has(name)) continue;
      const identity = { group: addOnGroup, kind: 'ClusterManagementAddOn', name };
      const existence = elsewhere.existence(identity);
      if (existence === 'exists') continue;
      yield existence === 'unknown'
        ? diagnostic('FW7026', {
            ...unansweredReference(identity, elsewhere),
            ...pointAt(managedClusterAddOn, ['metadata', 'name']),
          })
        : diagnostic('FW4005', {
            message: `neither the app nor the fleet snapshot has a ClusterManagementAddOn ${quote(name)}, so the hub does not configure this add-on`,
            object: referenceTo(managedClusterAddOn.object),
            location: managedClusterAddOn.origin.locate(['metadata', 'name']),
            hint: hintOf(name, clusterManagementAddOns.keys()),
          });
    }
  },
};

function hintOf(name: string, addOns: Iterable<string>): string {
  const meant = closest(name, addOns);
  const otherwise = `correct the name, add the ClusterManagementAddOn, ${orExternal}`;
  return meant === undefined ? otherwise : `did you mean ${quote(meant)}? Otherwise ${otherwise}`;
}
