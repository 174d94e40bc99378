/**
 * Selects who creates the objects of an add-on on clusters. On a ClusterManagementAddOn: `compiled`, or `hub` as
 * without it. On a ManagedClusterAddOn: the compiler wrote it. The companion manages add-ons with `compiled`.
 */
export const deliveryAnnotation = 'fleetwright.dev/delivery';

/**
 * On a ClusterManagementAddOn: `promoted`, if its waves are those of a promotion, which the app must have. With hub delivery, the promotion
 * then releases the last placement of the install strategy first, because that is the one which leads a cluster of several.
 */
export const rolloutAnnotation = 'fleetwright.dev/rollout';

/** The value of `rolloutAnnotation`. */
export const promotedRollout = 'promoted';

/** On a ClusterManagementAddOn with compiled delivery: `lease` if its agents report their health by a Lease. */
export const healthAnnotation = 'fleetwright.dev/health';

/**
 * On an emitted ClusterManagementAddOn with compiled delivery: the name of its default template. Its list of
 * configurations leaves that out: if templates are listed, OCM's addon-manager delivers too.
 */
export const defaultTemplateAnnotation = 'fleetwright.dev/default-template';

/**
 * On an emitted ClusterManagementAddOn with compiled delivery: the clusters for which Git has a ManagedClusterAddOn,
 * one per line. The companion deletes those of other clusters that the compiler wrote: Argo CD never prunes an object
 * that has an owner, and OCM's objects have one.
 */
export const clustersAnnotation = 'fleetwright.dev/clusters';

/**
 * On an emitted ManagedClusterAddOn with compiled delivery: the kinds of which the cluster has its own
 * configurations, as a comma-separated list of `resource.group`. The others come from the ClusterManagementAddOn.
 */
export const ownConfigsAnnotation = 'fleetwright.dev/own-configs';

/**
 * On an emitted ManagedClusterAddOn with compiled delivery: `managed`, `hosting` or both, as a comma-separated list, if there is
 * nothing to deploy to that cluster. Otherwise the companion waits for works.
 */
export const emptyLocationsAnnotation = 'fleetwright.dev/empty-locations';

/**
 * On a ClusterManagementAddOn with compiled delivery: `run`, if the companion is to run the pre-delete hooks of its template. On an
 * emitted ManagedClusterAddOn: these hooks as a JSON list, one manifest per line. They are there because this object remains until
 * the hooks are complete, whatever Git no longer has. On the first emitted work for a hosting cluster: the hooks that run there.
 * Only those who may deliver to the hosting cluster can write that work.
 */
export const preDeleteHooksAnnotation = 'fleetwright.dev/pre-delete-hooks';

/**
 * On the emitted works for a hosting cluster on which pre-delete hooks run: `companion`. GitOps engines leave these works alone, and
 * the companion deletes them when the hooks are complete, or when another cluster hosts the add-on.
 */
export const deletedByAnnotation = 'fleetwright.dev/deleted-by';

/** The value of `deletedByAnnotation`. */
export const deletedByCompanion = 'companion';

/** On the work of hooks on a hosting cluster: the uid of the ManagedClusterAddOn for whose deletion it runs. */
export const addOnUidAnnotation = 'fleetwright.dev/add-on-uid';

/**
 * How an override is delivered to the hub. On a ManagedClusterAddOn, or on a ClusterManagementAddOn for all of its
 * overrides.
 */
export const overrideAnnotation = 'fleetwright.dev/override';

/**
 * On an emitted ClusterManagementAddOn whose overrides are listed: the clusters whose ManagedClusterAddOn is in Git,
 * one per line. The companion reverts objects that have the override annotation and are not in the list.
 */
export const overridesAnnotation = 'fleetwright.dev/overrides';

/** On a Placement that represents an override: `cluster/add-on`. */
export const overrideOfAnnotation = 'fleetwright.dev/override-of';

/** On a Placement that represents clusters with the same values of parameters: `group/add-on`. */
export const parametersOfAnnotation = 'fleetwright.dev/parameters-of';

/**
 * On an AddOnTemplate: the other add-ons that may use it with compiled delivery, one per line. Without it a template belongs to
 * the add-on in its `spec.addonName`, which the hub never compares.
 */
export const sharedWithAnnotation = 'fleetwright.dev/shared-with';

/**
 * On a ClusterManagementAddOn: the add-ons that it requires on each of its clusters, one per line. See `parseRequirements` for the form.
 * The hub ignores it.
 */
export const requiresAnnotation = 'fleetwright.dev/requires';

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

/**
 * On an AddOnDeploymentConfig or AddOnTemplate in YAML: `true`, if it is immutable, as with `immutable: true` in TypeScript. The compiler
 * replaces the annotation with the next one.
 */
export const immutableAnnotation = 'fleetwright.dev/immutable';

/** On an immutable object: the name that all its revisions have in common. */
export const revisionOfAnnotation = 'fleetwright.dev/revision-of';

/** On an immutable object: the number of earlier revisions to keep, if it is not 2. */
export const historyLimitAnnotation = 'fleetwright.dev/revision-history-limit';

/**
 * On an AddOnDeploymentConfig that is compiled from parameters: the customized variables with sensitive values as `variable NAME`,
 * and the fields as `field NAME`, one per line. Reports mask them.
 */
export const sensitiveAnnotation = 'fleetwright.dev/sensitive';

/**
 * On the ManagedClusterAddOn and the works that a promotion released to a cluster: the hash of their content. A status counts for
 * a gate only if the object has the hash of the release.
 */
export const contentHashAnnotation = 'fleetwright.dev/content-hash';

/** On a ManagedClusterAddOn that a promotion released: the number of its works. */
export const workCountAnnotation = 'fleetwright.dev/works';

/** On the list of a fleet snapshot: the time of the snapshot. */
export const takenAtAnnotation = 'fleetwright.dev/taken-at';

/** On the list of a fleet snapshot: the kinds of which it has all objects, except for the objects of the next annotation. */
export const coversAnnotation = 'fleetwright.dev/covers';

/** On the list of a fleet snapshot: the objects that are left out because they are in Git, one per line, with their writer. */
export const writtenInGitAnnotation = 'fleetwright.dev/written-in-git';
