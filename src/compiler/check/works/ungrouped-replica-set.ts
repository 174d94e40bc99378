import { diagnostic } from '../../model/diagnostic.ts';
import { objectKey } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { replicaSets, replicaSetSpec } from '../../rollout/replica-set.ts';
import { isUngrouped, withoutGroups } from '../rollouts/concurrency.ts';
import type { Rule } from '../rule.ts';

/** Reports rollouts of ManifestWorkReplicaSets per group to placements whose clusters are one group. */
export const ungroupedReplicaSet: Rule = {
  codes: ['FW7201'],
  *check({ inventory, decisions }) {
    for (const set of replicaSets(inventory)) {
      const { namespace = '' } = set.object.metadata;
      for (const [index, { name, rolloutStrategy }] of replicaSetSpec(set).placementRefs.entries()) {
        const key = objectKey(namespace, name);
        const placement = inventory.placements.get(key);
        const selected = decisions.byPlacement.get(key)?.selected.length ?? 0;
        if (rolloutStrategy?.type !== 'ProgressivePerGroup' || selected < 2) continue;
        if (placement === undefined || !isUngrouped(placement)) continue;
        yield diagnostic('FW7201', {
          ...withoutGroups(key, selected),
          ...pointAt(set, ['spec', 'placementRefs', index, 'rolloutStrategy', 'type']),
        });
      }
    }
  },
};
