import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { replicaSets, replicaSetSpec } from '../../rollout/replica-set.ts';
import { strategyFaults } from '../../rollout/strategy/strategy-faults.ts';
import type { Rule } from '../rule.ts';

/**
 * Reports values with which a ManifestWorkReplicaSet stops the hub. As sdk-go's RolloutHandler: the set's controller uses the same
 * handler as the add-on controller.
 */
export const stoppingReplicaSet: Rule = {
  codes: ['FW6010'],
  *check({ inventory }) {
    for (const set of replicaSets(inventory)) {
      for (const [index, { name, rolloutStrategy }] of replicaSetSpec(set).placementRefs.entries()) {
        for (const { path, value, error } of strategyFaults(rolloutStrategy)) {
          const field = path.at(-1) ?? '';
          const when = field === 'maxConcurrency' ? ', after its mandatory groups' : '';
          yield diagnostic('FW6010', {
            message: `${field} "${value}" stops the hub from creating, updating and deleting works for Placement "${name}"${when}: ${error}`,
            ...pointAt(set, ['spec', 'placementRefs', index, 'rolloutStrategy', ...path]),
            hint:
              field === 'progressDeadline'
                ? 'write a number with h, m or s, such as 10m, or None'
                : 'write a number without quotes, or a percentage such as "25%"',
          });
        }
      }
    }
  },
};
