import { diagnostic } from '../../model/diagnostic.ts';
import { clusterCount } from '../../model/words.ts';
import { pacedPlacements } from './paced-placements.ts';
import { ungroupedReplicaSets, ungroupedRollout } from './ungrouped-placement.ts';
import type { Rule } from '../rule.ts';
import { messageJson } from '../../../base/json/message-json.ts';

/** Reports rollouts in waves whose concurrency, or lack of groups, lets all clusters change at the same time. */
export const concurrency: Rule = {
  codes: ['FW7201'],
  *check(input) {
    yield* ungroupedReplicaSets(input);
    for (const paced of pacedPlacements(input)) {
      const { node, mandatory, selected, remaining, at } = paced;
      const { type, maxConcurrency } = node.strategy;
      const ungrouped = ungroupedRollout(paced, input);
      if (ungrouped !== undefined) yield ungrouped;
      if (type !== 'Progressive' || selected < 2) continue;
      const declaredConcurrency = node.rolloutStrategy?.progressive?.maxConcurrency;
      const field = () => at('progressive', 'maxConcurrency');
      const shown = messageJson(declaredConcurrency);
      if (mandatory.length > 0 && remaining === 0) {
        if (declaredConcurrency === undefined) continue;
        yield diagnostic('FW7201', {
          ...field(),
          message: `every selected cluster is in a mandatory group, and all clusters of such a group change at the same time, so maxConcurrency ${shown} has no effect`,
          hint: 'use smaller groups, or remove some clusters from the mandatory groups',
        });
      } else if (declaredConcurrency === undefined || declaredConcurrency === 0) {
        if (!isWithoutLimit(maxConcurrency, remaining)) continue;
        yield diagnostic('FW7201', {
          ...field(),
          message: `neither maxConcurrency nor the placement's clustersPerDecisionGroup limits the rollout, so ${remaining === selected ? 'all' : 'all other'} ${clusterCount(remaining)} change at the same time`,
          hint: 'set maxConcurrency to a number or a percentage of the clusters',
        });
      } else if (isTooLarge(maxConcurrency, remaining)) {
        yield diagnostic('FW7201', {
          ...field(),
          message: `maxConcurrency ${shown} ${typeof declaredConcurrency === 'number' && declaredConcurrency > 0 ? `is more than the ${clusterCount(remaining)}` : 'means no limit'}, so all of them change at the same time`,
          hint: 'set it to a smaller number, or to a percentage such as 25%',
        });
      }
    }
  },
};

function isWithoutLimit(size: number | string, clusters: number): boolean {
  return clusters > 1 && (size === '100%' || isTooLarge(size, clusters));
}

/**
 * Whether the size counts as all clusters. As sdk-go's calculateRolloutSize: this applies to a value that is not above zero, or
 * that is above the number of clusters.
 */
function isTooLarge(size: number | string, clusters: number): boolean {
  return typeof size === 'number' ? size <= 0 || size > clusters : size === '0%';
}
