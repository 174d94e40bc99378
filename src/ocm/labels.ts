/** On works, permissions and certificate requests: the add-on that they belong to. OCM's controllers set it, and so do separate managers. */
export const addOnNameLabel = 'open-cluster-management.io/addon-name';
/** On permissions and certificate requests: the managed cluster that they belong to. */
export const clusterNameLabel = 'open-cluster-management.io/cluster-name';
/** The label of a PlacementDecision that names its Placement. */
export const placementLabel = 'cluster.open-cluster-management.io/placement';
