/** On an emitted ClusterManagementAddOn: the name of its default template, which its list of configurations leaves out. */
export const defaultTemplateAnnotation = 'fleetwright.dev/default-template';

/**
 * On an emitted ManagedClusterAddOn: of which kinds its configurations are the cluster's own, as `resource.group` in a list
 * with commas. The others follow from the ClusterManagementAddOn.
 */
export const ownConfigsAnnotation = 'fleetwright.dev/own-configs';

/**
 * On an emitted ClusterManagementAddOn: the clusters that Git has a ManagedClusterAddOn for, one a line. The companion deletes
 * those of other clusters that the compiler wrote: Argo CD prunes nothing that has an owner, and OCM's objects have one.
 */
export const clustersAnnotation = 'fleetwright.dev/clusters';
