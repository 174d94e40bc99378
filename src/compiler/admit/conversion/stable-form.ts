import { kindKey } from '../../../base/names/resource-name.ts';
import { ocmKinds } from '../../../../schemas/kinds.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import { deliveryAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { withAnnotations } from '../../../ocm/annotations.ts';
import { asGoWrites } from './as-converted.ts';
import { convertAddOn } from './convert.ts';
import { lifecycleAnnotation } from '../../../ocm/lifecycle.ts';
import { addOnGroup } from '../../../../schemas/groups.ts';

/**
 * Returns an object in its stable form: the API server returns every field of it as it is here, in whichever version a controller
 * of OCM has written the object since. Controllers write through Go types, which rewrite durations and times and omit empty
 * fields:
 *
 * - OCM 1.3 writes the statuses of ClusterManagementAddOns and ManagedClusterAddOns in v1beta1. The spec then passes the
 *   conversion webhook twice, which also removes fields that v1beta1 does not have.
 * - addon-framework replaces the lifecycle `self` of an add-on that it manages with an empty value, which has the same meaning.
 * - The hub taints ManagedClusters, and agents add their address, in the whole list or in the whole object.
 *
 * Fields that these controllers add are not here: Argo CD and Flux do not compare fields that are not in Git.
 */
export function inStableForm(object: KubernetesObject): KubernetesObject {
  switch (kindKey(object)) {
    case ocmKinds.clusterManagementAddOn.key:
      return withStableLifecycle(convertedTwice(object));
    case ocmKinds.managedClusterAddOn.key:
      return convertedTwice(object);
    case ocmKinds.managedCluster.key:
      return 'spec' in object ? { ...object, spec: asGoWrites(object['spec'], false) } : object;
    default:
      return object;
  }
}

/** Returns an object as the conversion webhook leaves it. No field is lost if the object is in v1beta1. */
function convertedTwice(object: KubernetesObject): KubernetesObject {
  const { metadata, spec } =
    object.apiVersion === `${addOnGroup}/v1alpha1`
      ? convertAddOn(convertAddOn(object, 'v1beta1'), 'v1alpha1')
      : (object as KubernetesObject & { readonly spec?: unknown });
  return { ...object, metadata, spec: asGoWrites(spec, false) };
}

/** As cmamanagedby in addon-framework. No manager of addon-framework runs for an add-on with compiled delivery. */
function withStableLifecycle(object: KubernetesObject): KubernetesObject {
  const { [lifecycleAnnotation]: lifecycle, [deliveryAnnotation]: delivery } =
    object.metadata.annotations ?? {};
  if (lifecycle !== 'self' || delivery === 'compiled') return object;
  return withAnnotations(object, { [lifecycleAnnotation]: '' });
}
