import type { Diagnostic } from '../../diagnostic.ts';
import { partOf } from '../../rollout/strategy.ts';
import { pacedByHub } from './paced-placements.ts';
import type { Rule } from '../rule.ts';

/** `maxFailures` beside mandatory groups, with which the hub bears no late cluster anywhere. */
export const voidFailureLimit: Rule = function* (input): Iterable<Diagnostic> {
  for (const { node, mandatory, remaining, at } of pacedByHub(input)) {
    const { type, maxFailures } = node.strategy;
    if (type === 'All' || mandatory.length === 0 || remaining === 0) continue;
    if (typeof maxFailures === 'number' ? maxFailures <= 0 : maxFailures === '0%') continue;
    yield {
      code: 'FW7206',
      severity: 'warning',
      message: `beside mandatory groups maxFailures ${JSON.stringify(maxFailures)} does not help: any cluster of the placement that is late stops the rollout for good`,
      ...at(partOf[type], 'maxFailures'),
      hint: 'to bear failures do without mandatory groups: ProgressivePerGroup takes the groups in their order anyway',
    };
  }
};
