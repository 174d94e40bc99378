import { lifecycleAnnotation } from '../../../ocm/lifecycle.ts';
import { deliveryAnnotation, preDeleteHooksAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';

/** Reports invalid deliveries, and two that exclude each other. */
export const invalidDelivery: Rule = {
  codes: ['FW4013'],
  *check({ inventory }) {
    for (const addOn of inventory.clusterManagementAddOns.values()) {
      const {
        [deliveryAnnotation]: delivery,
        [lifecycleAnnotation]: lifecycle,
        [preDeleteHooksAnnotation]: hooks,
      } = addOn.object.metadata.annotations ?? {};
      if (delivery !== undefined && delivery !== 'hub' && delivery !== 'compiled') {
        yield diagnostic('FW4013', {
          message: `${quote(delivery)} is not a delivery`,
          ...pointAt(addOn, ['metadata', 'annotations', deliveryAnnotation]),
          hint: 'write "hub" or "compiled"; without the annotation the hub delivers',
        });
      } else if (delivery === 'compiled' && lifecycle === 'addon-manager') {
        yield diagnostic('FW4013', {
          message:
            "the add-on is compiled, but this annotation lets the hub's addon-manager manage it at the same time",
          ...pointAt(addOn, ['metadata', 'annotations', lifecycleAnnotation]),
          hint: 'write "self", or remove the annotation',
        });
      }
      if (hooks !== undefined && (hooks !== 'run' || delivery !== 'compiled')) {
        const message =
          hooks === 'run'
            ? 'the annotation has no effect: the hub delivers the add-on, and runs its pre-delete hooks itself'
            : `${quote(hooks)} is not a way to run pre-delete hooks`;
        yield diagnostic('FW4013', {
          message,
          ...pointAt(addOn, ['metadata', 'annotations', preDeleteHooksAnnotation]),
          hint: 'write "run" on an add-on with compiled delivery, or remove the annotation',
        });
      }
    }
  },
};
