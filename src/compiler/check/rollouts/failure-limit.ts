import { diagnostic } from '../../model/diagnostic.ts';
import { partOf } from '../../rollout/strategy/strategy.ts';
import { clusterCount } from '../../model/words.ts';
import { groupWords, pacedByHub } from './paced-placements.ts';
import type { Rule } from '../rule.ts';

const hint = 'write a percentage: 100% tolerates any number of failures';

/** Reports `maxFailures` above the number of clusters, which the hub reads as 0. */
export const failureLimit: Rule = {
  codes: ['FW7202'],
  *check(input) {
    for (const { node, rest, selected, at } of pacedByHub(input)) {
      const { type, maxFailures } = node.strategy;
      if (type === 'All' || typeof maxFailures !== 'number') continue;
      const field = at(partOf[type], 'maxFailures');
      if (type === 'Progressive') {
        if (maxFailures <= selected) continue;
        yield diagnostic('FW7202', {
          message: `maxFailures ${maxFailures} is more than the ${clusterCount(selected)}, so it counts as 0 and the first failure stops the rollout`,
          ...field,
          hint,
        });
        continue;
      }
      const smaller = rest.filter(({ clusters }) => clusters.length < maxFailures);
      const [first] = smaller;
      if (first === undefined) continue;
      const others = smaller.length === 1 ? '' : ` (and in ${smaller.length - 1} more)`;
      yield diagnostic('FW7202', {
        message: `maxFailures ${maxFailures} is more than the ${clusterCount(first.clusters.length)} of ${groupWords(first)}, so it counts as 0 there${others} and the first failure stops the rollout`,
        ...field,
        hint,
      });
    }
  },
};
