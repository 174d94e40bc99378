import type { ClusterManagementAddOnV1beta1 } from '../../../../schemas/types.gen.ts';
import { requiresAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { requiredAddOns, requirementCycles } from '../../configure/required-add-ons.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import type { Admitted } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';

/** Reports add-ons that require each other: none of them can be installed first. */
export const requirementCycle: Rule = {
  codes: ['FW4016'],
  *check({ inventory }) {
    for (const cycle of requirementCycles(requiredAddOns(inventory))) {
      const finding = cycleFinding(cycle, (name) => inventory.clusterManagementAddOns.get(name));
      if (finding !== undefined) yield finding;
    }
  },
};

/** Returns the finding for a cycle. */
export function cycleFinding(
  cycle: readonly string[],
  definitionOf: (name: string) => Admitted<ClusterManagementAddOnV1beta1> | undefined,
): Diagnostic | undefined {
  const [first = ''] = cycle;
  const addOn = definitionOf(first);
  if (addOn === undefined) return undefined;
  return diagnostic('FW4016', {
    message: `${[...cycle, first].map(quote).join(' requires ')}: none of them can be installed first`,
    ...pointAt(addOn, ['metadata', 'annotations', requiresAnnotation]),
    hint: 'remove one of these requirements',
    related: cycle.slice(1).flatMap((name) => {
      const location = definitionOf(name)?.origin.locate(['metadata', 'annotations', requiresAnnotation]);
      return location === undefined ? [] : [{ message: `the requirements of ${quote(name)}`, location }];
    }),
  });
}
