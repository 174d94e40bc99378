import { addToGroup } from '../../../base/collections/groups.ts';
import { installNamespaceAnnotation } from '../../admit/conversion/convert-managed-cluster-add-on.ts';
import { isInstalledByPlacements } from '../../../ocm/install-strategy.ts';
import { syncedAnnotations } from '../../configure/installed-add-on.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import type { Inventory } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { defaultInstallNamespace } from '../../../ocm/install-namespace.ts';
import { clusterCount } from '../../model/words.ts';
import type { Rule } from '../rule.ts';

/**
 * Reports annotations that a ManagedClusterAddOn has in Git and that the hub removes. As OCM's addonannotation: when any
 * annotation of a cluster with the add-on prefix changes, the hub updates every ManagedClusterAddOn on that cluster whose add-on
 * is installed by placements, independent of its manager. The ManagedClusterAddOn gets the annotations of the cluster that have
 * the prefix, and loses all others that have it. Clusters without such annotations are ignored, because they may never have one.
 */
export const syncedAnnotation: Rule = {
  codes: ['FW7130'],
  *check({ inventory, decisions, hub }) {
    if (!hub.copiesClusterAnnotations) return;
    const byAnnotation = new Map<string, Taken[]>();
    for (const clusterAddOn of inventory.managedClusterAddOns.values()) {
      const { name = '', namespace = '' } = clusterAddOn.object.metadata;
      const addOn = inventory.clusterManagementAddOns.get(name);
      const copied = syncedAnnotations(decisions.clusters.get(namespace));
      if (clusterAddOn.source !== 'app' || addOn === undefined || Object.keys(copied).length === 0) continue;
      if (!isInstalledByPlacements(addOn.object)) continue;
      const key = Object.entries(syncedAnnotations(clusterAddOn.object)).find(
        ([key, value]) => copied[key] !== value && !isDefault(key, value),
      )?.[0];
      if (key === undefined) continue;
      addToGroup(byAnnotation, name, {
        clusterAddOn,
        cluster: namespace,
        key,
        isReplaced: copied[key] !== undefined,
      });
    }
    for (const [addOn, [first, ...others]] of byAnnotation) {
      if (first === undefined) continue;
      const { clusterAddOn, cluster, key, isReplaced } = first;
      const more = others.length === 0 ? '' : `, and in the same way on ${clusterCount(others.length)} more`;
      yield diagnostic('FW7130', {
        message: `whenever an annotation of cluster "${cluster}" with the prefix of add-ons changes, the hub ${isReplaced ? 'replaces' : 'removes'} ${key} of the ManagedClusterAddOn of "${addOn}" there, until Git is applied again${more}`,
        ...pointAt(clusterAddOn, ['metadata', 'annotations', key]),
        hint: 'set it on the ManagedCluster, from which the hub copies it to every add-on of the cluster, or use an AddOnDeploymentConfig',
      });
    }
  },
};

interface Taken {
  readonly clusterAddOn: NonNullable<ReturnType<Inventory['managedClusterAddOns']['get']>>;
  readonly cluster: string;
  readonly key: string;
  /** Whether the cluster has the annotation with another value. */
  readonly isReplaced: boolean;
}

/** Whether the API server restores the annotation immediately. */
function isDefault(key: string, value: string): boolean {
  return key === installNamespaceAnnotation && value === defaultInstallNamespace;
}
