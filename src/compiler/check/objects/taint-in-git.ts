import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { counted } from '../../model/words.ts';
import type { Rule } from '../rule.ts';

/**
 * Reports, in one finding, ManagedClusters whose taints have no `timeAdded`. As processTaints of OCM's webhook for ManagedClusters: it sets
 * the time of each taint, and rejects an update in which a taint of the hub has another time, or none.
 */
export const taintInGit: Rule = {
  codes: ['FW8161'],
  *check({ inventory }) {
    const tainted = [...inventory.managedClusters.values()].flatMap((cluster) => {
      const { spec, status } = cluster.object;
      // An object with a status comes from a hub, and nobody applies it.
      if (cluster.source === 'fleet' || status !== undefined) return [];
      const index = (spec?.taints ?? []).findIndex(
        ({ timeAdded }) => timeAdded === undefined || timeAdded === null,
      );
      return index < 0 ? [] : [{ cluster, index }];
    });
    const [first] = tainted;
    if (first === undefined) return;
    const others = tainted.length === 1 ? '' : ` (${counted(tainted.length - 1, 'other cluster')} too)`;
    yield diagnostic('FW8161', {
      message: `the hub accepts this ManagedCluster once and rejects it when it is applied again: its webhook sets the timeAdded of the taint, which Git does not have${others}`,
      ...pointAt(first.cluster, ['spec', 'taints', first.index]),
      hint: 'remove taints from Git; to keep Placements from selecting the cluster, use a label, a claim or a ManagedClusterSet',
    });
  },
};
