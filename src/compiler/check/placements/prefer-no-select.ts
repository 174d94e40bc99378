import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';

/** Reports, in one finding, taints with an effect that OCM's schema has and its placement controller ignores. */
export const preferNoSelect: Rule = {
  codes: ['FW7016'],
  *check({ inventory }) {
    const tainted = [...inventory.managedClusters.values()].flatMap((cluster) => {
      const index = (cluster.object.spec?.taints ?? []).findIndex(
        ({ effect }) => effect === 'PreferNoSelect',
      );
      return index < 0 ? [] : [{ cluster, index }];
    });
    const [first] = tainted;
    if (first === undefined) return;
    const others = tainted.length - 1;
    yield diagnostic('FW7016', {
      message: `the taint has no effect: the hub ignores PreferNoSelect${others === 0 ? '' : ` (${others} other clusters have such taints)`}`,
      ...pointAt(first.cluster, ['spec', 'taints', first.index, 'effect']),
      hint: 'use NoSelect or NoSelectIfNew, or a prioritizer',
    });
  },
};
