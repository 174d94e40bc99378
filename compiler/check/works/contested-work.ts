import { diagnostic } from '../../diagnostic.ts';
import { pointAt } from '../../point-at.ts';
import { replicaSetReach, replicaSets } from '../../rollout/replica-set.ts';
import { clusterCount, listed } from '../../words.ts';
import type { Rule } from '../rule.ts';

/**
 * Reports clusters that several Placements of a ManifestWorkReplicaSet select. A work has the label of one Placement, and the hub
 * finds each Placement's works by it.
 */
export const contestedWork: Rule = {
  codes: ['FW6009'],
  *check({ inventory, decisions }) {
    for (const set of replicaSets(inventory)) {
      const { contested } = replicaSetReach(set, decisions, inventory);
      const [first] = contested;
      if (first === undefined) continue;
      const [cluster, placements] = first;
      const others = contested.size === 1 ? '' : `, and ${clusterCount(contested.size - 1)} more`;
      yield diagnostic('FW6009', {
        message: `Placements ${listed(placements)} both select cluster "${cluster}"${others}: the hub alternates between the two works, and never stops`,
        ...pointAt(set, ['spec', 'placementRefs']),
        hint: 'let the Placements select different clusters, or create a ManifestWorkReplicaSet for each',
      });
    }
  },
};
