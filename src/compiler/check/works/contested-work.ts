import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { replicaSetReach, replicaSets } from '../../rollout/replica-set.ts';
import { clusterCount, listed } from '../../model/words.ts';
import type { Rule } from '../rule.ts';

/**
 * Reports clusters that several Placements of a ManifestWorkReplicaSet select. A work has the label of one Placement, and the hub
 * finds each Placement's works by it. For a cluster with several works, the hub remembers one. For a Placement whose work is another
 * one and is not applied, it creates a new work each time that it looks.
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
        ? 'the hub creates works for each, hundreds in seconds while one is not applied, and an edit leaves works with the earlier manifests'
        : 'the hub alternates between the two works, and never stops';
      yield diagnostic('FW6009', {
        message: `Placements ${listed(placements)} ${placements.length === 2 ? 'both' : 'all'} select cluster "${cluster}"${others}: ${effect}`,
        ...pointAt(set, ['spec', 'placementRefs']),
        hint: 'let the Placements select different clusters, or create a ManifestWorkReplicaSet for each',
      });
    }
  },
};
