import { byteLength } from '../../../base/names/name-syntax.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';

// a name in a label key has at most 63 characters, and the hub puts `addon-` before that of the add-on
const longest = 57;

/**
 * Reports add-ons whose names do not fit into the label feature.open-cluster-management.io/addon-NAME. As the controller
 * addonFeatureDiscovery: it cannot update a cluster with such an add-on, so that the labels of all its add-ons stay as they are.
 */
export const longAddOnName: Rule = {
  codes: ['FW8334'],
  *check({ inventory }) {
    for (const addOn of inventory.clusterManagementAddOns.values()) {
      const { name = '' } = addOn.object.metadata;
      if (addOn.source !== 'app' || byteLength(name) <= longest) continue;
      yield diagnostic('FW8334', {
        message: `the name ${quote(name)} has ${byteLength(name)} characters: with more than ${longest}, the hub cannot label clusters with their add-ons (feature.open-cluster-management.io/addon-…), neither with this one nor with others`,
        ...pointAt(addOn, ['metadata', 'name']),
        hint: `shorten the name to ${longest} characters`,
      });
    }
  },
};
