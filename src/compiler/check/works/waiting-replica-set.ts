import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { clusterCount } from '../../model/words.ts';
import { replicaSetReach, replicaSets, replicaSetSpec } from '../../rollout/replica-set.ts';
import { some } from '../../rollout/stop.ts';
import type { Rule } from '../rule.ts';

/** Reports rollouts of ManifestWorkReplicaSets that never get beyond their first wave, because agents do not report Progressing. */
export const waitingReplicaSet: Rule = {
  codes: ['FW7030'],
  *check({ inventory, decisions, hub }) {
    for (const set of replicaSets(inventory)) {
      const { waiting } = replicaSetReach(set, decisions, inventory, hub);
      for (const [index, { name }] of replicaSetSpec(set).placementRefs.entries()) {
        const clusters = waiting.get(name);
        if (clusters === undefined) continue;
        yield diagnostic('FW7030', {
          message: `the rollout to Placement "${name}" stays in its first wave and never reaches ${clusterCount(clusters.length)}: ${some(clusters)}. The hub waits for the condition Progressing, which no agent reports without a condition rule`,
          ...pointAt(set, ['spec', 'placementRefs', index, 'rolloutStrategy']),
          hint: 'add conditionRules with the condition Progressing for an object of the works to manifestConfigs, or remove rolloutStrategy',
        });
      }
    }
  },
};
