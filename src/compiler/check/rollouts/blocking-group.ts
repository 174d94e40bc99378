import { diagnostic } from '../../model/diagnostic.ts';
import { some } from '../../rollout/stop.ts';
import { partOf } from '../../rollout/strategy/strategy.ts';
import { clusterCount } from '../../model/words.ts';
import { groupWords, pacedPlacements, type PacedPlacement } from './paced-placements.ts';
import type { Rule } from '../rule.ts';

/**
 * Reports groups that block a rollout, because one of their clusters takes no part in it: a later placement controls the cluster,
 * or the add-on is never installed there. Such a cluster counts as pending indefinitely.
 */
export const blockingGroup: Rule = {
  codes: ['FW7205'],
  *check(input) {
    for (const paced of pacedPlacements(input)) {
      const { addOn, node, mandatory, rest, at } = paced;
      const { type } = node.strategy;
      if (type === 'All') continue;
      const order = type === 'Progressive' ? mandatory : [...mandatory, ...rest];
      const position = order.findIndex(({ clusters }) =>
        clusters.some((cluster) => !node.children.has(cluster)),
      );
      const group = order[position];
      if (group === undefined) continue;
      const left = clustersAfter(position, order, paced);
      if (left === 0) continue;
      const foreign = group.clusters.filter((cluster) => !node.children.has(cluster));
      const leader = addOn.clusters.get(foreign[0] ?? '')?.placements.at(-1);
      yield diagnostic('FW7205', {
        message: `the rollout never gets past ${groupWords(group)}, so ${clusterCount(left)} after it ${left === 1 ? 'is' : 'are'} never configured: ${leader === undefined ? 'the add-on is never installed on' : `the later placement "${leader}" leads`} ${some(foreign)}`,
        ...at(partOf[type], ...(mandatory.includes(group) ? ['mandatoryDecisionGroups'] : [])),
        hint:
          leader === undefined
            ? 'make sure that the hub has a ManagedCluster for each cluster that the placement selects'
            : 'select each cluster with one placement only, or use Progressive without mandatory groups',
      });
    }
  },
};

/** Returns the clusters of this rollout that come after the group. */
function clustersAfter(
  position: number,
  order: PacedPlacement['mandatory'],
  { node, mandatory, rest }: PacedPlacement,
): number {
  const after = [...order.slice(position + 1), ...(order === mandatory ? rest : [])];
  return after.reduce(
    (sum, { clusters }) => sum + clusters.filter((cluster) => node.children.has(cluster)).length,
    0,
  );
}
