/** On works and permissions: the add-on that they belong to. OCM's controllers note it, and managers of their own do too. */
export const addOnNameLabel = 'open-cluster-management.io/addon-name';
/** The label of a PlacementDecision that names its Placement. */
export const placementLabel = 'cluster.open-cluster-management.io/placement';
