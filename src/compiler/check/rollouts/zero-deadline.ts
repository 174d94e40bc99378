import { diagnostic } from '../../model/diagnostic.ts';
import { partOf } from '../../rollout/strategy/strategy.ts';
import { pacedByHub } from './paced-placements.ts';
import type { Rule } from '../rule.ts';

/** Reports deadlines of zero, which expire immediately. */
export const zeroDeadline: Rule = {
  codes: ['FW7207'],
  *check(input) {
    for (const { node, at } of pacedByHub(input)) {
      const { type, progressDeadline } = node.strategy;
      if (type === 'All' || progressDeadline !== 0) continue;
      yield diagnostic('FW7207', {
        message:
          'a progressDeadline of zero expires immediately: every cluster times out as soon as it changes',
        ...at(partOf[type], 'progressDeadline'),
        hint: 'set a longer time, such as 10m, or None to wait indefinitely',
      });
    }
  },
};
