import { diagnostic } from '../../diagnostic.ts';
import { pointAt } from '../../point-at.ts';
import { replicaSetReach, replicaSets } from '../../rollout/replica-set.ts';
import { clusterCount, listed } from '../../words.ts';
import type { Rule } from '../rule.ts';

/**
 * Reports clusters that several Placements of a ManifestWorkReplicaSet select. A work has the label of one Placement, and the hub
 * finds each Placement's works by it. For a cluster with several works, the hub remembers one, and creates a new work when it has to
 * change another.
 */
export const contestedWork: Rule = {
  codes: ['FW6009'],
  *check({ inventory, decisions, hub }) {
    for (const set of replicaSets(inventory)) {
      const { contested } = replicaSetReach(set, decisions, inventory, hub);
      const [first] = contested;
      if (first === undefined) continue;
      const [cluster, placements] = first;
      const others = contested.size === 1 ? '' : `, and ${clusterCount(contested.size - 1)} more`;
      const effect = hub.generatesWorkNames
        ? 'the hub creates a work for each, and when the set is edited, one of them keeps the earlier manifests and another one is added'
        : 'the hub alternates between the two works, and never stops';
      yield diagnostic('FW6009', {
        message: `Placements ${listed(placements)} ${placements.length === 2 ? 'both' : 'all'} select cluster "${cluster}"${others}: ${effect}`,
        ...pointAt(set, ['spec', 'placementRefs']),
        hint: 'let the Placements select different clusters, or create a ManifestWorkReplicaSet for each',
      });
    }
  },
};
