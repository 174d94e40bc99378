import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';

/**
 * Reports ManagedClusters with taints that have no time. OCM's webhook writes the time of a new taint, and rejects every update
 * with another one, as processTaints. So the cluster is created once, and its next version is rejected.
 */
export const taintWithoutTime: Rule = {
  codes: ['FW8303'],
  *check({ inventory }) {
    const tainted = [...inventory.managedClusters.values()].flatMap((cluster) => {
      const index = cluster.source === 'app' ? indexWithoutTime(cluster.object.spec?.taints) : -1;
      return index < 0 ? [] : [{ cluster, index }];
    });
    const [first] = tainted;
    if (first === undefined) return;
    const { cluster, index } = first;
    const key = cluster.object.spec?.taints?.[index]?.key ?? '';
    const name = quote(cluster.object.metadata.name ?? '');
    const clusters =
      tainted.length === 1 ? `ManagedCluster ${name}` : `${tainted.length} ManagedClusters, such as ${name},`;
    yield diagnostic('FW8303', {
      message: `the hub creates ${clusters} once, and rejects every later apply: It is not allowed to set TimeAdded of Taint "${key}".`,
      ...pointAt(cluster, ['spec', 'taints', index]),
      hint: 'leave taints out of Git and set them on the hub, or use a label that the placements exclude',
    });
  },
};

function indexWithoutTime(taints: readonly { readonly timeAdded?: string | null }[] | undefined): number {
  return (taints ?? []).findIndex(({ timeAdded }) => timeAdded === undefined || timeAdded === null);
}
