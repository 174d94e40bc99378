import { releasedKinds, type ServedKinds } from '../../../../schemas/index.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import type { AddOnApiVersion } from '../../../ocm/hub-version.ts';
import {
  clusterManagementAddOnToV1alpha1,
  clusterManagementAddOnToV1beta1,
} from './convert-cluster-management-add-on.ts';
import {
  managedClusterAddOnToV1alpha1,
  managedClusterAddOnToV1beta1,
} from './convert-managed-cluster-add-on.ts';
import { applyDefaults } from '../schema/defaults.ts';
import { ownField } from '../../../base/json/json-map.ts';
import { addOnGroup } from '../../../../schemas/groups.ts';

/**
 * Returns an admitted object in another version of the add-on API, with all defaults of that version. Returns the object itself
 * if it is already in that version, or if its kind has only one. OCM's conversion webhook does this for ClusterManagementAddOns
 * and ManagedClusterAddOns; the API server does it without the webhook for AddOnDeploymentConfigs and AddOnTemplates.
 *
 * Lost in the conversion to v1beta1: `spec.addOnConfiguration`, `status.addOnConfiguration` and the organization units of
 * registrations with the API server's own signer. Lost in the conversion to v1alpha1: the namespace of a default configuration
 * whose name says that there is none.
 *
 * @param served - the kinds of the hub
 */
export function convertAddOn(
  object: KubernetesObject,
  version: AddOnApiVersion,
  served: ServedKinds = releasedKinds,
): KubernetesObject {
  const apiVersion = `${addOnGroup}/${version}`;
  if (object.apiVersion === apiVersion || !object.apiVersion.startsWith(`${addOnGroup}/`)) return object;
  const target = served.findVersion(apiVersion, object.kind);
  if (target === undefined) return object;
  const convert = ownField<Converter>(converters[version], object.kind);
  // objects are admitted, so they have the shape of their apiVersion and kind
  const converted = { ...(convert?.(object as never) ?? object), apiVersion };
  return applyDefaults(converted, target.version.schema) as KubernetesObject;
}

type Converter = (object: never) => object;

/** The kinds whose versions differ in more than their name, by the target version. */
const converters: Readonly<Record<AddOnApiVersion, Readonly<Record<string, Converter>>>> = {
  v1alpha1: {
    ClusterManagementAddOn: clusterManagementAddOnToV1alpha1,
    ManagedClusterAddOn: managedClusterAddOnToV1alpha1,
  },
  v1beta1: {
    ClusterManagementAddOn: clusterManagementAddOnToV1beta1,
    ManagedClusterAddOn: managedClusterAddOnToV1beta1,
  },
};
