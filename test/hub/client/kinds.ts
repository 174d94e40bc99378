import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';

/** An API version and a kind of it. */
export type KindOf = readonly [apiVersion: string, kind: string];

/** The API versions in which the tests write and read OCM's kinds: those in which the hub stores them. */
export const ocmKinds = {
  addOnDeploymentConfig: ['addon.open-cluster-management.io/v1alpha1', 'AddOnDeploymentConfig'],
  addOnPlacementScore: ['cluster.open-cluster-management.io/v1alpha1', 'AddOnPlacementScore'],
  addOnTemplate: ['addon.open-cluster-management.io/v1alpha1', 'AddOnTemplate'],
  clusterManagementAddOn: ['addon.open-cluster-management.io/v1alpha1', 'ClusterManagementAddOn'],
  managedCluster: ['cluster.open-cluster-management.io/v1', 'ManagedCluster'],
  managedClusterAddOn: ['addon.open-cluster-management.io/v1alpha1', 'ManagedClusterAddOn'],
  managedClusterSet: ['cluster.open-cluster-management.io/v1beta2', 'ManagedClusterSet'],
  managedClusterSetBinding: ['cluster.open-cluster-management.io/v1beta2', 'ManagedClusterSetBinding'],
  manifestWork: ['work.open-cluster-management.io/v1', 'ManifestWork'],
  placement: ['cluster.open-cluster-management.io/v1beta1', 'Placement'],
  placementDecision: ['cluster.open-cluster-management.io/v1beta1', 'PlacementDecision'],
} as const satisfies Record<string, KindOf>;

export const manifestWorkReplicaSet: KindOf = [
  'work.open-cluster-management.io/v1alpha1',
  'ManifestWorkReplicaSet',
];
export const roleBinding: KindOf = ['rbac.authorization.k8s.io/v1', 'RoleBinding'];
export const role: KindOf = ['rbac.authorization.k8s.io/v1', 'Role'];
export const serviceAccount: KindOf = ['v1', 'ServiceAccount'];
export const namespaceKind: KindOf = ['v1', 'Namespace'];

/** An object that only says which one is meant. */
export function reference([apiVersion, kind]: KindOf, name: string, namespace?: string): KubernetesObject {
  return { apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } };
}

/** Whether an object is of a kind, in whatever version. */
export function isOfKind(object: KubernetesObject, [, kind]: KindOf): boolean {
  return object.kind === kind;
}
