import { installPlacements, placementReference } from '../../../ocm/install-strategy.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';
import { appClusterAddOns } from './app-cluster-add-ons.ts';

/** Reports ManagedClusterAddOns for clusters that no placement selects. The hub deletes them. */
export const unselectedCluster: Rule = {
  codes: ['FW4003'],
  *check(input) {
    const { configuration } = input;
    for (const { managedClusterAddOn, cluster, addOn, name } of appClusterAddOns(input)) {
      const resolved = configuration.get(name);
      if (resolved === undefined || resolved.clusters.has(cluster)) continue;
      if (!input.decisions.clusters.has(cluster)) continue;
      const consequence =
        resolved.delivery === 'compiled'
          ? 'nothing is delivered there'
          : 'the hub deletes this ManagedClusterAddOn';
      yield diagnostic('FW4003', {
        message: `no placement of ${quote(resolved.name)} selects ${quote(cluster)}, so ${consequence}`,
        ...pointAt(managedClusterAddOn, ['metadata', 'namespace']),
        hint: 'select the cluster with a placement of the install strategy, or remove this object',
        related: [
          {
            message: 'the install strategy',
            location: addOn.origin.locate(['spec', 'installStrategy', 'placements']),
          },
        ],
        causedBy: installPlacements(addOn.object).map(placementReference),
      });
    }
  },
};
