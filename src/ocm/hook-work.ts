import type { GoJsonObject } from '../base/json/go-json.ts';
import { groupVersionKind, nameOf, namespaceOf } from '../base/objects/object-identity.ts';
import type { OwnerReference } from '../base/objects/object-meta.ts';
import type {
  ManifestWorkV1,
  ManifestWorkV1ManifestConfigOption,
  ManifestWorkV1Spec,
} from '../../schemas/types.gen.ts';
import { addOnUidAnnotation } from './fleetwright-annotations.ts';
import { addOnNamespaceLabel } from './hosted-mode.ts';
import { addOnNameLabel } from './labels.ts';

/** On a Job or Pod: it is run before the add-on is deleted. On a ManagedClusterAddOn: the finalizer that waits for that. */
export const preDeleteHook = 'addon.open-cluster-management.io/addon-pre-delete';

/** On a ManagedClusterAddOn in hosted mode: the finalizer that waits for the hooks on the hosting cluster. */
export const hostingPreDeleteHook = 'addon.open-cluster-management.io/hosting-addon-pre-delete';

/** The finalizers that wait for hooks. */
export const hookFinalizers: readonly string[] = [preDeleteHook, hostingPreDeleteHook];

/** The resources of hooks, by kind. As addon-framework isPreDeleteHookObject: of any group. */
export const hookResources: ReadonlyMap<string, string> = new Map([
  ['Job', 'jobs'],
  ['Pod', 'pods'],
]);

/** The name of the feedback value that is `True` if a Job has failed. OCM's well-known values have only its completion. */
export const jobFailedValue = 'JobFailed';

/**
 * Returns the name of the work with the hooks of an add-on. As addon-framework PreDeleteHookWorkName and PreDeleteHookHostingWorkName.
 *
 * @param hostedFor the managed cluster, if the work is for the cluster that hosts its agent
 */
export function hookWorkName(addOn: string, hostedFor?: string): string {
  const name = `addon-${addOn}-pre-delete`;
  return hostedFor === undefined ? name : `${name}-hosting-${hostedFor}`;
}

/** Where a work of hooks is, and what connects it with its ManagedClusterAddOn: owners cannot be in another namespace. */
export type HookWorkPlace =
  | { readonly location: 'managed'; readonly owner: OwnerReference }
  | { readonly location: 'hosting'; readonly hostingCluster: string; readonly uid: string };

/**
 * Returns the work that runs hooks of an add-on. As addon-framework BuildHookWork, with one more value of Jobs: whether they failed.
 *
 * @param cluster the managed cluster of the add-on
 */
export function hookWork(
  addOn: string,
  cluster: string,
  manifests: readonly GoJsonObject[],
  place: HookWorkPlace,
): ManifestWorkV1 {
  const labels = { [addOnNameLabel]: addOn };
  return {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    metadata:
      place.location === 'managed'
        ? { name: hookWorkName(addOn), namespace: cluster, labels, ownerReferences: [place.owner] }
        : {
            name: hookWorkName(addOn, cluster),
            namespace: place.hostingCluster,
            labels: { ...labels, [addOnNamespaceLabel]: cluster },
            annotations: { [addOnUidAnnotation]: place.uid },
          },
    spec: {
      manifestConfigs: manifests.map(hookConfig),
      workload: { manifests: manifests as unknown as WorkManifests },
    },
  };
}

type WorkManifests = NonNullable<NonNullable<ManifestWorkV1Spec['workload']>['manifests']>;

function hookConfig(manifest: GoJsonObject): ManifestWorkV1ManifestConfigOption {
  const { group, kind } = groupVersionKind(manifest);
  return {
    resourceIdentifier: {
      group,
      resource: hookResources.get(kind) ?? '',
      name: nameOf(manifest),
      namespace: namespaceOf(manifest),
    },
    feedbackRules: [{ type: 'WellKnownStatus' }, ...(kind === 'Job' ? [jobFailed] : [])],
  };
}

const jobFailed = {
  type: 'JSONPaths' as const,
  jsonPaths: [{ name: jobFailedValue, path: '.status.conditions[?(@.type=="Failed")].status' }],
};
