import { diagnostic } from '../../model/diagnostic.ts';
import { partOf } from '../../rollout/strategy/strategy.ts';
import { pacedPlacements } from './paced-placements.ts';
import type { Rule } from '../rule.ts';

/** Reports settings of a rollout strategy that the tool that applies Git cannot implement. A promotion does. */
export const unsupportedRolloutSetting: Rule = {
  codes: ['FW7211'],
  *check(input) {
    if (input.isPromoted === true) return;
    for (const { addOn, node, at } of pacedPlacements(input)) {
      if (addOn.delivery !== 'compiled') continue;
      const { type, minSuccessTime, progressDeadline, maxFailures } = node.strategy;
      if (type === 'All') continue;
      const unkept = [
        ...(minSuccessTime === 0 ? [] : [settings.minSuccessTime]),
        ...(progressDeadline === Infinity ? [] : [settings.progressDeadline]),
        ...(maxFailures === 0 || maxFailures === '0%' ? [] : [settings.maxFailures]),
      ];
      for (const { field, message, hint } of unkept)
        yield diagnostic('FW7211', { message, ...at(partOf[type], field), hint });
    }
  },
};

const settings = {
  minSuccessTime: {
    field: 'minSuccessTime',
    message:
      'compiled delivery does not wait for minSuccessTime: the next wave is applied as soon as this one is healthy',
    hint: 'remove it, or add a promotion of the app, which soaks between waves: docs/promotion.md',
  },
  progressDeadline: {
    field: 'progressDeadline',
    message:
      'compiled delivery ignores progressDeadline: a cluster that does not become healthy blocks the waves after it',
    hint: 'remove it, or add a promotion of the app, which knows deadlines: docs/promotion.md',
  },
  maxFailures: {
    field: 'maxFailures',
    message:
      'compiled delivery tolerates no failures, regardless of maxFailures: one failed cluster blocks the waves after it',
    hint: 'remove it, or add a promotion of the app, which has a budget of failures: docs/promotion.md',
  },
} as const;
