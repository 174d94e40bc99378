import type { GoJsonObject } from '../kubernetes/go/json.ts';
import { groupVersionKind, nameOf, namespaceOf } from '../kubernetes/object-identity.ts';
import type { OwnerReference } from '../kubernetes/object-meta.ts';
import type {
  ManifestWorkV1,
  ManifestWorkV1ManifestConfigOption,
  ManifestWorkV1Spec,
} from '../schemas/types.gen.ts';
import { addOnNameLabel } from './labels.ts';

/** On a Job or Pod: it is run before the add-on is deleted. On a ManagedClusterAddOn: the finalizer that waits for that. */
export const preDeleteHook = 'addon.open-cluster-management.io/addon-pre-delete';

/** The resources of hooks, by kind. As addon-framework isPreDeleteHookObject: of any group. */
export const hookResources: ReadonlyMap<string, string> = new Map([
  ['Job', 'jobs'],
  ['Pod', 'pods'],
]);

/** The name of the feedback value that is `True` if a Job has failed. OCM's well-known values have only its completion. */
export const jobFailedValue = 'JobFailed';

/** Returns the name of the work with the hooks of an add-on. As addon-framework PreDeleteHookWorkName. */
export function hookWorkName(addOn: string): string {
  return `addon-${addOn}-pre-delete`;
}

/**
 * Returns the work that runs hooks on a managed cluster. As addon-framework BuildHookWork, with one more value of Jobs: whether they
 * failed.
 */
export function hookWork(
  addOn: string,
  cluster: string,
  manifests: readonly GoJsonObject[],
  owner: OwnerReference,
): ManifestWorkV1 {
  return {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    metadata: {
      name: hookWorkName(addOn),
      namespace: cluster,
      labels: { [addOnNameLabel]: addOn },
      ownerReferences: [owner],
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
