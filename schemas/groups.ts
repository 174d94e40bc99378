/** The API group of OCM's add-on kinds. */
export const addOnGroup = 'addon.open-cluster-management.io';
/** The API group of ManagedCluster, Placement and what they need. */
export const clusterGroup = 'cluster.open-cluster-management.io';
/** The API group of ClusterManager and Klusterlet. */
export const operatorGroup = 'operator.open-cluster-management.io';
/** The API group of ManifestWork and ManifestWorkReplicaSet. */
export const workGroup = 'work.open-cluster-management.io';
