import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { didYouMean } from '../../model/suggestion.ts';
import type { Rule } from '../rule.ts';

/** Reports tolerations with an unknown operator. They tolerate nothing. */
export const tolerationOperator: Rule = {
  codes: ['FW7015'],
  *check({ inventory }) {
    for (const placement of inventory.placements.values()) {
      for (const [index, { operator = 'Equal' }] of (placement.object.spec.tolerations ?? []).entries()) {
        if (operator === 'Equal' || operator === 'Exists' || operator === '') continue;
        yield diagnostic('FW7015', {
          message: `"${operator}" is not a valid toleration operator, so this toleration has no effect`,
          ...pointAt(placement, ['spec', 'tolerations', index, 'operator']),
          hint: didYouMean(operator, ['Equal', 'Exists'], 'the operators are') ?? '',
        });
      }
    }
  },
};
