/**
 * How the configuration that one cluster has of its own goes to the hub, and so what happens when Git no longer has it.
 *
 * - `object`: as a ManagedClusterAddOn. OCM makes its ClusterManagementAddOn the owner, and Argo CD prunes nothing that
 *   has an owner: an override that Git no longer has stays in force. Flux deletes the object, which uninstalls the add-on
 *   from the cluster, and the hub installs it again.
 * - `placement`: as a placement of the install strategy that selects this one cluster. It goes when Git no longer has it.
 *   The cluster takes no part in the waves of the others.
 * - `inventory`: as a ManagedClusterAddOn that the ClusterManagementAddOn lists. The companion takes back what is not
 *   in the list any more.
 */
export type OverrideMode = 'object' | 'placement' | 'inventory';
