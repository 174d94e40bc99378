import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';

/** Reports placements that rank their current clusters lower, even if they keep them for now because there are no others. */
export const negativeSteady: Rule = {
  codes: ['FW7013'],
  *check({ decisions }) {
    for (const { placement, reasoning } of decisions.byPlacement.values()) {
      // the decision already alternates, which the place phase reports
      if (reasoning?.unsettled === true) continue;
      const { numberOfClusters, prioritizerPolicy } = placement.object.spec;
      if (numberOfClusters === undefined) continue;
      for (const [index, { scoreCoordinate, weight = 1 }] of (
        prioritizerPolicy?.configurations ?? []
      ).entries()) {
        if (scoreCoordinate.builtIn !== 'Steady' || weight >= 0) continue;
        yield diagnostic('FW7013', {
          message: `Steady has weight ${weight}: the placement replaces its selected clusters as soon as others are available`,
          ...pointAt(placement, ['spec', 'prioritizerPolicy', 'configurations', index, 'weight']),
          hint: 'give Steady a positive weight, or 0 to disable it',
        });
      }
    }
  },
};
