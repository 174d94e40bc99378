/**
 * How the configuration of a single cluster reaches the hub, and how it is removed.
 *
 * - `object`: as a ManagedClusterAddOn. OCM makes its ClusterManagementAddOn the owner. `synth` removes it in two changes:
 *   first a ManagedClusterAddOn without configurations, then no object. The hub keeps the ManagedClusterAddOn.
 * - `placement`: as a placement of the install strategy that selects this one cluster. It is removed with the placement.
 *   The cluster takes no part in the waves of the others.
 * - `inventory`: as a ManagedClusterAddOn that the ClusterManagementAddOn lists. The companion removes the fields of
 *   overrides that are no longer in the list.
 */
export type OverrideMode = 'object' | 'placement' | 'inventory';
