import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { worksOf } from '../../render/works/replica-set-works.ts';
import { replicaSets, replicaSetSpec } from '../../rollout/replica-set.ts';
import type { Rule } from '../rule.ts';

/**
 * Reports ManifestWorkReplicaSets whose works the API server rejects. Every cluster gets the same work, so one work represents
 * all.
 */
export const rejectedReplicaSetWork: Rule = {
  codes: ['FW6011'],
  *check({ inventory, hub }) {
    for (const set of replicaSets(inventory)) {
      const [placement] = replicaSetSpec(set).placementRefs;
      const works = worksOf(set, hub)('cluster1', placement?.name ?? '');
      if ('work' in works) continue;
      yield diagnostic('FW6011', {
        message: `the API server rejects the works of this set: ${works.error}`,
        ...pointAt(set, works.path ?? ['spec', 'manifestWorkTemplate']),
        hint:
          works.path === undefined
            ? 'correct the manifest'
            : 'shorten the name or the namespace: together they may have at most 62 characters',
      });
    }
  },
};
