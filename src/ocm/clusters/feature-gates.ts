import type { HubVersionName } from '../hub-version.ts';

/** The components whose feature gates a ClusterManager or a Klusterlet sets, by kind and field. */
const gates: Readonly<Record<string, readonly string[]>> = {
  'ClusterManager registrationConfiguration': [
    'DefaultClusterSet',
    'ManagedClusterAutoApproval',
    'ResourceCleanup',
    'ClusterProfile',
    'ClusterImporter',
  ],
  'ClusterManager workConfiguration': [
    'NilExecutorValidating',
    'ManifestWorkReplicaSet',
    'CloudEventsDrivers',
    'CleanUpCompletedManifestWork',
  ],
  'ClusterManager addOnManagerConfiguration': ['AddonManagement'],
  'Klusterlet registrationConfiguration': [
    'ClusterClaim',
    'ClusterProperty',
    'AddonManagement',
    'MultipleHubs',
  ],
  'Klusterlet workConfiguration': ['ExecutorValidatingCaches', 'RawFeedbackJsonString'],
};

/** The releases whose gates are known: they are the same in OCM 1.1 to 1.4. */
const knownReleases: ReadonlySet<HubVersionName> = new Set(['1.1', '1.2', '1.3', '1.4']);

/**
 * Returns the feature gates of each component that a kind configures, by field. As OCM's api/feature. Undefined if they are unknown.
 */
export function featureGatesOf(
  kind: string,
  release: HubVersionName,
): ReadonlyMap<string, readonly string[]> | undefined {
  if (!knownReleases.has(release)) return undefined;
  const ofKind = Object.entries(gates).flatMap(([key, names]) => {
    const [holder, field = ''] = key.split(' ');
    return holder === kind ? [[field, names] as const] : [];
  });
  return new Map(ofKind);
}
