import { diagnostic } from '../../model/diagnostic.ts';
import { partOf } from '../../rollout/strategy/strategy.ts';
import { hasSeveralWaves, pacedByHub } from './paced-placements.ts';
import type { Rule } from '../rule.ts';

/** Reports rollouts in several waves that wait indefinitely for a cluster that never becomes ready. */
export const missingDeadline: Rule = {
  codes: ['FW7203'],
  *check(input) {
    for (const paced of pacedByHub(input)) {
      const { type, progressDeadline } = paced.node.strategy;
      if (progressDeadline !== Infinity || !hasSeveralWaves(paced)) continue;
      yield diagnostic('FW7203', {
        message:
          'without a progressDeadline one cluster that never becomes ready blocks all later ones indefinitely',
        ...paced.at(partOf[type], 'progressDeadline'),
        hint: 'set progressDeadline, such as 10m, and maxFailures to continue after a cluster that exceeds it',
      });
    }
  },
};
