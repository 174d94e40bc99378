import { diagnostic } from '../../model/diagnostic.ts';
import { partOf } from '../../rollout/strategy/strategy.ts';
import { pacedByHub } from './paced-placements.ts';
import type { Rule } from '../rule.ts';
import { messageJson } from '../../../base/json/message-json.ts';

/** Reports `maxFailures` together with mandatory groups. With them the hub tolerates no late cluster in any group. */
export const voidFailureLimit: Rule = {
  codes: ['FW7206'],
  *check(input) {
    for (const { node, mandatory, remaining, at } of pacedByHub(input)) {
      const { type, maxFailures } = node.strategy;
      if (type === 'All' || mandatory.length === 0 || remaining === 0) continue;
      if (typeof maxFailures === 'number' ? maxFailures <= 0 : maxFailures === '0%') continue;
      yield diagnostic('FW7206', {
        message: `maxFailures ${messageJson(maxFailures)} has no effect beside mandatory groups: one cluster of the placement that fails or times out stops the rollout`,
        ...at(partOf[type], 'maxFailures'),
        hint: 'remove maxFailures; to tolerate failures, use ProgressivePerGroup without mandatory groups, which updates the groups in order',
      });
    }
  },
};
