import { isManagedByAddonManager, lifecycleAnnotation } from '../../../ocm/lifecycle.ts';
import { deliveryAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';

/**
 * Reports add-ons whose lifecycle annotation makes the hub's addon-manager ignore their install strategy: a misspelled value, or
 * `self` on an add-on of a template, which has no other manager.
 */
export const lifecycle: Rule = {
  codes: ['FW8332'],
  *check({ inventory }) {
    for (const addOn of inventory.clusterManagementAddOns.values()) {
      if (addOn.source !== 'app' || isManagedByAddonManager(addOn.object)) continue;
      const { metadata, spec } = addOn.object;
      const { [lifecycleAnnotation]: value = '', [deliveryAnnotation]: delivery } =
        metadata.annotations ?? {};
      const isTemplate = (spec.defaultConfigs ?? []).some(({ resource }) => resource === 'addontemplates');
      if (delivery === 'compiled' || (value === 'self' && !isTemplate)) continue;
      const effect = "the hub's addon-manager ignores the add-on and its install strategy";
      yield diagnostic('FW8332', {
        message:
          value === 'self'
            ? `with lifecycle "self" ${effect}, and an add-on of a template has no other manager`
            : `${quote(value)} is neither addon-manager nor self, so ${effect}`,
        ...pointAt(addOn, ['metadata', 'annotations', lifecycleAnnotation]),
        hint: 'remove the annotation, or write addon-manager',
      });
    }
  },
};
