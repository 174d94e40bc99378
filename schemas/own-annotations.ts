/**
 * Who makes what an add-on puts on clusters. On a ClusterManagementAddOn: `compiled`, or `hub` as without it. On a
 * ManagedClusterAddOn: that the compiler wrote it. The companion looks after add-ons with `compiled`.
 */
export const deliveryAnnotation = 'fleetwright.dev/delivery';

/** On a ClusterManagementAddOn with compiled delivery: `lease` where its agents tell by a Lease whether they are well. */
export const healthAnnotation = 'fleetwright.dev/health';

/**
 * On an emitted ClusterManagementAddOn with compiled delivery: the name of its default template. Its list of configurations
 * leaves that out: where templates are listed, OCM's addon-manager delivers too.
 */
export const defaultTemplateAnnotation = 'fleetwright.dev/default-template';

/**
 * On an emitted ClusterManagementAddOn with compiled delivery: the clusters that Git has a ManagedClusterAddOn for, one a
 * line. The companion deletes those of other clusters that the compiler wrote: Argo CD prunes nothing that has an owner, and
 * OCM's objects have one.
 */
export const clustersAnnotation = 'fleetwright.dev/clusters';

/**
 * On an emitted ManagedClusterAddOn with compiled delivery: of which kinds its configurations are the cluster's own, as
 * `resource.group` in a list with commas. The others follow from the ClusterManagementAddOn.
 */
export const ownConfigsAnnotation = 'fleetwright.dev/own-configs';

/** How an override goes to the hub. On a ManagedClusterAddOn, or on a ClusterManagementAddOn for all of its overrides. */
export const overrideAnnotation = 'fleetwright.dev/override';

/**
 * On an emitted ClusterManagementAddOn whose overrides are listed: the clusters whose ManagedClusterAddOn is in Git, one a
 * line. The companion takes back what is marked with the override annotation and not in the list.
 */
export const overridesAnnotation = 'fleetwright.dev/overrides';

/** On a Placement that stands for an override: `cluster/add-on`. */
export const overrideOfAnnotation = 'fleetwright.dev/override-of';

/**
 * On an AddOnTemplate: the other add-ons that may use it with compiled delivery, one per line. Without it a template belongs to
 * the add-on in its `spec.addonName`, which the hub never compares.
 */
export const sharedWithAnnotation = 'fleetwright.dev/shared-with';

/** Whether an add-on with compiled delivery may use a template: its own one, or one that is shared with it. */
export function mayUseTemplate(
  addOn: string,
  {
    metadata,
    spec,
  }: {
    readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
    readonly spec: { readonly addonName: string };
  },
): boolean {
  const sharedWith = metadata.annotations?.[sharedWithAnnotation] ?? '';
  return spec.addonName === addOn || sharedWith.split('\n').some((line) => line.trim() === addOn);
}

/** On an immutable object: the name that all its revisions have in common. */
export const revisionOfAnnotation = 'fleetwright.dev/revision-of';
