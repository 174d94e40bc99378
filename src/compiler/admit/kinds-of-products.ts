import { operatorGroup as operator, clusterGroup as cluster } from '../../../schemas/groups.ts';

/**
 * Kinds that Red Hat Advanced Cluster Management adds to OCM's own API groups. Its separate groups, such as
 * `policy.open-cluster-management.io`, do not belong to OCM and need no list.
 *
 * @see https://github.com/stolostron/multiclusterhub-operator, cluster-backup-operator, cluster-curator-controller and
 * multicluster-global-hub
 */
export const kindsOfProducts: ReadonlyMap<string, readonly string[]> = new Map([
  [
    operator,
    ['InternalHubComponent', 'MultiClusterHub', 'MulticlusterGlobalHub', 'MulticlusterGlobalHubAgent'],
  ],
  [cluster, ['BackupSchedule', 'ClusterCurator', 'Restore']],
]);

export function isKindOfProduct(group: string, kind: string): boolean {
  return kindsOfProducts.get(group)?.includes(kind) ?? false;
}
