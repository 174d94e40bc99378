import { parseRequirements } from '../../../ocm/add-ons/requirements.ts';
import { requiresAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';
import { compareVersion } from './required-versions.ts';

/** Reports the lines of the annotation for required add-ons that cannot be read. */
export const invalidRequirement: Rule = {
  codes: ['FW4014'],
  *check({ inventory }) {
    for (const [name, addOn] of inventory.clusterManagementAddOns) {
      const text = addOn.object.metadata.annotations?.[requiresAnnotation];
      if (text === undefined) continue;
      const parsed = parseRequirements(name, text);
      const isSingle = !text.trim().includes('\n');
      for (const { name: required, ...constraints } of parsed.requirements)
        for (const kind of ['version', 'chart'] as const) {
          const constraint = constraints[kind];
          const result = constraint === undefined ? true : compareVersion('1.0.0', constraint);
          if (result instanceof Error)
            yield diagnostic('FW4014', {
              message: `the constraint ${quote(constraint ?? '')} of the ${kind} of ${quote(required)} is not valid: ${result.message}`,
              ...pointAt(addOn, ['metadata', 'annotations', requiresAnnotation]),
              hint: `write ${kind}>=1.14, ${kind}>=1.14,<2 or ${kind}==1.14.2`,
            });
        }
      for (const { line, message, hint } of parsed.faults)
        yield diagnostic('FW4014', {
          message: isSingle ? message : `line ${line}: ${message}`,
          ...pointAt(addOn, ['metadata', 'annotations', requiresAnnotation]),
          hint,
        });
    }
  },
};
