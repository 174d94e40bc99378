/** On works and permissions: the add-on that they belong to. OCM's controllers set it, and so do separate managers. */
export const addOnNameLabel = 'open-cluster-management.io/addon-name';
/** The label of a PlacementDecision that names its Placement. */
export const placementLabel = 'cluster.open-cluster-management.io/placement';
