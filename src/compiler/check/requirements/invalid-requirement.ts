import { parseRequirements } from '../../../ocm/add-on-requirements.ts';
import { requiresAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';

/** Reports the lines of the annotation for required add-ons that cannot be read. */
export const invalidRequirement: Rule = {
  codes: ['FW4014'],
  *check({ inventory }) {
    for (const [name, addOn] of inventory.clusterManagementAddOns) {
      const text = addOn.object.metadata.annotations?.[requiresAnnotation];
      if (text === undefined) continue;
      const isSingle = !text.trim().includes('\n');
      for (const { line, message, hint } of parseRequirements(name, text).faults)
        yield diagnostic('FW4014', {
          message: isSingle ? message : `line ${line}: ${message}`,
          ...pointAt(addOn, ['metadata', 'annotations', requiresAnnotation]),
          hint,
        });
    }
  },
};
