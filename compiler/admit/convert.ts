import { findKindVersion } from '../../schemas/index.ts';
import type { KubernetesObject } from '../../schemas/object-meta.ts';
import type {
  ClusterManagementAddOnV1alpha1,
  ClusterManagementAddOnV1beta1,
  ManagedClusterAddOnV1alpha1,
  ManagedClusterAddOnV1beta1,
} from '../../schemas/types.gen.ts';
import type { AddOnApiVersion } from '../hub-version.ts';
import {
  clusterManagementAddOnToV1alpha1,
  clusterManagementAddOnToV1beta1,
} from './convert-cluster-management-add-on.ts';
import {
  managedClusterAddOnToV1alpha1,
  managedClusterAddOnToV1beta1,
} from './convert-managed-cluster-add-on.ts';
import { applyDefaults } from './defaults.ts';

const group = 'addon.open-cluster-management.io';

/**
 * An admitted object in another version of the add-on API, complete with that version's defaults; the object itself
 * where it is in that version already, or of a kind that has only one. What OCM's conversion webhook does to
 * ClusterManagementAddOns and ManagedClusterAddOns, and the API server without it to AddOnDeploymentConfigs.
 *
 * Lost on the way to v1beta1: `spec.addOnConfiguration`, `status.addOnConfiguration` and the organization units of
 * registrations with the API server's own signer. Lost on the way to v1alpha1: the namespace of a default configuration
 * whose name says that there is none.
 */
export function convertAddOn(object: KubernetesObject, version: AddOnApiVersion): KubernetesObject {
  const apiVersion = `${group}/${version}`;
  if (object.apiVersion === apiVersion || !object.apiVersion.startsWith(`${group}/`)) return object;
  const target = findKindVersion(apiVersion, object.kind);
  if (target === undefined) return object;
  const converted = { ...(version === 'v1beta1' ? toV1beta1(object) : toV1alpha1(object)), apiVersion };
  return applyDefaults(converted, target.version.schema) as KubernetesObject;
}

// Objects are admitted, so they have the shape that their apiVersion and kind tell.
function toV1beta1(object: KubernetesObject): object {
  switch (object.kind) {
    case 'ClusterManagementAddOn':
      return clusterManagementAddOnToV1beta1(object as unknown as ClusterManagementAddOnV1alpha1);
    case 'ManagedClusterAddOn':
      return managedClusterAddOnToV1beta1(object as unknown as ManagedClusterAddOnV1alpha1);
    default:
      return object;
  }
}

function toV1alpha1(object: KubernetesObject): object {
  switch (object.kind) {
    case 'ClusterManagementAddOn':
      return clusterManagementAddOnToV1alpha1(object as unknown as ClusterManagementAddOnV1beta1);
    case 'ManagedClusterAddOn':
      return managedClusterAddOnToV1alpha1(object as unknown as ManagedClusterAddOnV1beta1);
    default:
      return object;
  }
}
