import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { forHub, type TargetHub } from '../admit/conversion/for-hub.ts';
import { inStableForm } from '../admit/conversion/stable-form.ts';
import type { Resolution } from '../resolve.ts';
import { groupOf } from '../../base/names/resource-name.ts';
import { compiledAddOn } from './compiled-add-on.ts';
import { addOnGroup } from '../../../schemas/groups.ts';

/**
 * Returns the objects of an app that are emitted one by one, in the form that the hub accepts and returns.
 * ClusterManagementAddOns are in the form for compiled delivery. ManagedClusterAddOns that compiled delivery emits with each
 * cluster's works are omitted.
 *
 * @param clustersInGit - returns the clusters for which Git has the objects of an add-on with compiled delivery. By default all on
 *   which the add-on is installed
 */
export function individualObjects(
  resolution: Resolution,
  target: TargetHub,
  clustersInGit?: (addOn: string) => Iterable<string>,
): KubernetesObject[] {
  return objectsOf(resolution, clustersInGit).map((object) => inStableForm(forHub(object, target)));
}

function objectsOf(
  { inventory, configuration }: Resolution,
  clustersInGit: (addOn: string) => Iterable<string> = (addOn) =>
    configuration.get(addOn)?.clusters.keys() ?? [],
): KubernetesObject[] {
  return inventory.objects
    .filter(({ source }) => source === 'app')
    .flatMap(({ object }) => {
      if (groupOf(object.apiVersion) !== addOnGroup) return [object];
      const addOn = configuration.get(object.metadata.name ?? '');
      if (addOn?.delivery !== 'compiled') return [object];
      if (object.kind === 'ManagedClusterAddOn') return [];
      return [
        object.kind === 'ClusterManagementAddOn' ? compiledAddOn(object, clustersInGit(addOn.name)) : object,
      ];
    });
}
