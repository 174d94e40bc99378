import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { passesPredicate } from '../../place/predicates.ts';
import type { Rule } from '../rule.ts';

/** Reports predicates, of several, that select none of the clusters that are available to the placement. */
export const unmatchedPredicate: Rule = {
  codes: ['FW7022'],
  *check({ decisions }) {
    for (const { placement, reasoning } of decisions.byPlacement.values()) {
      const { available, predicates = [] } = reasoning?.scheduling.candidates ?? {};
      // with a single predicate the decision is empty, which a separate rule reports
      if (available === undefined || predicates.length < 2) continue;
      for (const [index, predicate] of predicates.entries()) {
        if (available.some((cluster) => passesPredicate(predicate, cluster))) continue;
        const at = pointAt(placement, ['spec', 'predicates', index]);
        yield diagnostic('FW7022', {
          message: `predicate ${index} matches none of the ${available.length} clusters that are available to the placement`,
          ...at,
          hint: 'correct the predicate, or remove it',
          explainedBy: [{ codes: ['FW7007', 'FW7023'], object: at.object, path: at.path }],
        });
      }
    }
  },
};
