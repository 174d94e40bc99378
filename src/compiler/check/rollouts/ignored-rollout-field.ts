import { diagnostic } from '../../model/diagnostic.ts';
import { parseGoDuration } from '../../../base/time/duration.ts';
import { partOf } from '../../rollout/strategy/strategy.ts';
import { pacedPlacements } from './paced-placements.ts';
import type { Rule } from '../rule.ts';

/** Reports settings of a rollout strategy that the hub does not read. */
export const ignoredRolloutField: Rule = {
  codes: ['FW7208'],
  *check(input) {
    for (const { node, at } of pacedPlacements(input)) {
      const { type } = node.strategy;
      const { all, progressive, progressivePerGroup } = node.rolloutStrategy ?? {};
      for (const [part, fields] of Object.entries({ all, progressive, progressivePerGroup })) {
        if (fields === undefined || part === partOf[type]) continue;
        yield diagnostic('FW7208', {
          message: `the hub does not read ${part}: the type of the rollout is ${type}`,
          ...at(part),
          hint: 'remove it, or change the type',
        });
      }
      if (type !== 'All' || all === undefined) continue;
      const { maxFailures = 0, minSuccessTime = '0' } = all;
      const effectless = [
        ...(maxFailures === 0 || maxFailures === '0%' ? [] : ['maxFailures']),
        ...(parseGoDuration(minSuccessTime) === 0 ? [] : ['minSuccessTime']),
      ];
      for (const field of effectless) {
        yield diagnostic('FW7208', {
          message: `${field} has no effect: a rollout of type All changes all clusters at once, regardless of failures`,
          ...at('all', field),
          hint: 'remove it, or roll out Progressive',
        });
      }
    }
  },
};
