import type { PlacementV1beta1Spec } from '../../../../schemas/types.gen.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';

/** Reports Placement fields that are set, that OCM's schema has, and that its placement controller does not read. */
export const ignoredPlacementField: Rule = {
  codes: ['FW7018'],
  *check({ inventory, hub }) {
    for (const placement of inventory.placements.values()) {
      for (const field of ignoredFields(placement.object.spec)) {
        yield diagnostic('FW7018', {
          message: `${field} has no effect: OCM ${hub.name} does not read it`,
          ...pointAt(placement, ['spec', field]),
          hint: 'remove the field',
        });
      }
    }
  },
};

/** Defaults of the API server do not count as set. */
function ignoredFields({ spreadPolicy, sortBy, scoreRateLimit }: PlacementV1beta1Spec): string[] {
  const fields: string[] = [];
  if ((spreadPolicy?.spreadConstraints ?? []).length > 0) fields.push('spreadPolicy');
  if (sortBy === 'Score') fields.push('sortBy');
  if (scoreRateLimit !== undefined && scoreRateLimit !== '1m') fields.push('scoreRateLimit');
  return fields;
}
