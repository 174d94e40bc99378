import type { ManagedClusterAddOnV1beta1, ManagedClusterV1 } from '../../../schemas/types.gen.ts';
import {
  deliveryAnnotation,
  emptyLocationsAnnotation,
  ownConfigsAnnotation,
  preDeleteHooksAnnotation,
} from '../../ocm/fleetwright-annotations.ts';
import { withAnnotations } from '../../ocm/annotations.ts';
import type { ClusterAddOn, ConfigReference } from '../configure/resolved-add-on.ts';
import { installedAddOn } from '../configure/installed-add-on.ts';
import type { ClusterRendering } from '../render/render-result.ts';
import { groupResource } from '../../base/names/resource-name.ts';

/**
 * Returns the ManagedClusterAddOn of a cluster with compiled delivery. It names every configuration in use on the cluster,
 * including the template, so that its readers need not resolve anything.
 */
export function compiledManagedClusterAddOn(
  addOn: string,
  clusterAddOn: ClusterAddOn,
  managedCluster: ManagedClusterV1 | undefined,
  rendered: Pick<ClusterRendering, 'emptyLocations' | 'hooks'> | undefined,
): ManagedClusterAddOnV1beta1 {
  const installed = installedAddOn(addOn, clusterAddOn, managedCluster);
  const { kinds } = clusterAddOn.effective;
  const clusterKinds = kinds.filter(({ winners }) => winners.some(({ level }) => level === 'cluster'));
  const others = kinds.filter((kind) => !clusterKinds.includes(kind));
  const clusterKindNames = clusterKinds.map(({ group, resource }) => groupResource(group, resource));
  const { emptyLocations = [], hooks } = rendered ?? {};
  const marked = withAnnotations(installed, {
    [deliveryAnnotation]: 'compiled',
    [emptyLocationsAnnotation]: emptyLocations.length === 0 ? undefined : emptyLocations.join(','),
    [preDeleteHooksAnnotation]: hooks,
    ...(clusterKindNames.length === 0 ? {} : { [ownConfigsAnnotation]: clusterKindNames.join(',') }),
  });
  return {
    ...marked,
    spec: {
      ...marked.spec,
      // The cluster's own configurations come first, in their original position.
      configs: [...clusterKinds, ...others].flatMap(({ winners }) =>
        winners.map(({ reference }) => named(reference)),
      ),
    },
  };
}

function named({ group, resource, namespace, name }: ConfigReference) {
  return { group, resource, ...(namespace === undefined ? {} : { namespace }), name };
}
