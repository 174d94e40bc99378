import { diagnostic } from '../../model/diagnostic.ts';
import { labelValueErrors } from '../../../base/names/name-errors.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';
import { placementSelectors } from './selector-terms.ts';

/** Reports claim selectors with a value that is not a valid label value. Claims may have such values; selectors may not. */
export const claimValue: Rule = {
  codes: ['FW7006'],
  *check({ inventory }) {
    for (const placement of inventory.placements.values()) {
      for (const { path, claimSelector } of placementSelectors(placement.object.spec)) {
        for (const [index, { values = [] }] of (claimSelector?.matchExpressions ?? []).entries()) {
          for (const [position, value] of values.entries()) {
            if (labelValueErrors(value).length === 0) continue;
            yield diagnostic('FW7006', {
              message: `"${value}" is not a valid label value, so a claim selector cannot use it: the hub reports the placement as misconfigured`,
              ...pointAt(placement, [
                ...path,
                'claimSelector',
                'matchExpressions',
                index,
                'values',
                position,
              ]),
              hint: 'compare the claim with a CEL expression: managedCluster.status.clusterClaims.exists(c, c.name == "…" && c.value == "…")',
            });
          }
        }
      }
    }
  },
};
