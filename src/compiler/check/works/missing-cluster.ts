import { clusterGroup, workGroup } from '../../../../schemas/groups.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import { isOfKind } from '../../api/placement-references.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import type { Admitted, Inventory } from '../../model/inventory.ts';
import { orExternal } from '../../model/missing-object.ts';
import { pointAt } from '../../model/point-at.ts';
import { closest } from '../../model/suggestion.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';

/** Reports ManifestWorks and ManagedClusterAddOns of the app in a namespace that is not the one of a cluster. No agent reads them. */
export const missingCluster: Rule = {
  codes: ['FW8338'],
  *check({ inventory, decisions: { clusters } }) {
    for (const object of objectsOfClusters(inventory)) {
      const { kind, metadata } = object.object;
      const { namespace = '' } = metadata;
      if (object.source !== 'app' || namespace === '' || clusters.has(namespace)) continue;
      const identity = { group: clusterGroup, kind: 'ManagedCluster', name: namespace };
      if (inventory.elsewhere.existence(identity) !== 'missing') continue;
      const meant = closest(namespace, clusters.keys());
      const otherwise = `correct the namespace, create the ManagedCluster, ${orExternal}`;
      yield diagnostic('FW8338', {
        message: `ManagedCluster ${quote(namespace)} does not exist, so no agent reads this ${kind}`,
        ...pointAt(object, ['metadata', 'namespace']),
        hint: meant === undefined ? otherwise : `did you mean ${quote(meant)}? Otherwise ${otherwise}`,
      });
    }
  },
};

function* objectsOfClusters({
  managedClusterAddOns,
  others,
}: Inventory): Iterable<Admitted<Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>>> {
  yield* managedClusterAddOns.values();
  for (const object of others) if (isOfKind(object, workGroup, 'ManifestWork')) yield object;
}
