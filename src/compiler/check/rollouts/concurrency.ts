import type { PlacementV1beta1 } from '../../../../schemas/types.gen.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import type { Admitted } from '../../model/inventory.ts';
import { clusterCount } from '../../model/words.ts';
import { pacedPlacements } from './paced-placements.ts';
import type { Rule } from '../rule.ts';
import { messageJson } from '../../../base/json/message-json.ts';

/** Reports rollouts in waves whose concurrency, or lack of groups, lets all clusters change at the same time. */
export const concurrency: Rule = {
  codes: ['FW7201'],
  *check(input) {
    for (const { node, mandatory, selected, remaining, at } of pacedPlacements(input)) {
      const { type, maxConcurrency } = node.strategy;
      const placement = input.inventory.placements.get(node.placement);
      if (type === 'ProgressivePerGroup' && selected > 1 && placement !== undefined && isUngrouped(placement))
        yield diagnostic('FW7201', { ...withoutGroups(node.placement, selected), ...at('type') });
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

/** Returns the part of a finding on a rollout per group to a placement whose clusters are one group. */
export function withoutGroups(placement: string, selected: number): { message: string; hint: string } {
  return {
    message: `placement "${placement}" has no decision groups, so all ${clusterCount(selected)} change at the same time`,
    hint: 'add decisionGroups or clustersPerDecisionGroup to decisionStrategy.groupStrategy of the placement, or use Progressive with maxConcurrency',
  };
}

/** Whether the clusters of a Placement are one group, whatever their number. */
export function isUngrouped({ object }: Admitted<PlacementV1beta1>): boolean {
  const { decisionGroups = [], clustersPerDecisionGroup = '100%' } =
    object.spec.decisionStrategy?.groupStrategy ?? {};
  return decisionGroups.length === 0 && clustersPerDecisionGroup === '100%';
}

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
