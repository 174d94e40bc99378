import type { KubernetesObject } from '../../schemas/object-meta.ts';
import { groupOf } from '../resource-name.ts';

/**
 * What has to exist before what: namespaces and definitions, sets and bindings before placements, configurations before
 * the add-on that names them, the add-on before what overrides it for single clusters.
 */
const ranks: Readonly<Record<string, number>> = {
  '/Namespace': 0,
  'apiextensions.k8s.io/CustomResourceDefinition': 1,
  'operator.open-cluster-management.io/ClusterManager': 2,
  'operator.open-cluster-management.io/Klusterlet': 2,
  'cluster.open-cluster-management.io/ManagedCluster': 3,
  'cluster.open-cluster-management.io/ManagedClusterSet': 4,
  'cluster.open-cluster-management.io/ManagedClusterSetBinding': 5,
  'cluster.open-cluster-management.io/Placement': 6,
  // 7: configurations and every other kind
  'addon.open-cluster-management.io/AddOnTemplate': 8,
  'addon.open-cluster-management.io/ClusterManagementAddOn': 9,
  'addon.open-cluster-management.io/ManagedClusterAddOn': 10,
  'work.open-cluster-management.io/ManifestWork': 11,
  'work.open-cluster-management.io/ManifestWorkReplicaSet': 11,
};
const rankOfOthers = 7;

/** The position of an object's kind in the order in which objects are applied, from 0. */
export function applyRank({ apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): number {
  return ranks[`${groupOf(apiVersion)}/${kind}`] ?? rankOfOthers;
}
