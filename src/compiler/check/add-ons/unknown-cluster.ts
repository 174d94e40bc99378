import { diagnostic } from '../../model/diagnostic.ts';
import type { Decisions } from '../../place/decision.ts';
import { pointAt } from '../../model/point-at.ts';
import { didYouMean } from '../../model/suggestion.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';
import { appClusterAddOns } from './app-cluster-add-ons.ts';

/** Reports ManagedClusterAddOns for clusters that the fleet does not have. */
export const unknownCluster: Rule = {
  codes: ['FW4007'],
  *check(input) {
    for (const { managedClusterAddOn, cluster } of appClusterAddOns(input)) {
      if (input.decisions.clusters.has(cluster)) continue;
      yield diagnostic('FW4007', {
        message: `the fleet has no cluster ${quote(cluster)}`,
        ...pointAt(managedClusterAddOn, ['metadata', 'namespace']),
        hint: `${clusterHint(cluster, input.decisions)} If the cluster is new, refresh the fleet snapshot`,
      });
    }
  },
};

/** Returns the hint as one complete sentence. */
function clusterHint(cluster: string, { clusters }: Decisions): string {
  const hint = didYouMean(cluster, clusters.keys(), 'the clusters are');
  return hint?.endsWith('?') === true ? hint : `${hint ?? 'the fleet has no clusters'}.`;
}
