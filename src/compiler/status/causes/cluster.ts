import { conditionOf } from '../../../base/objects/condition.ts';
import { taintWords } from '../../place/explain/words.ts';
import type { ManagedClusterV1Taint } from '../../../../schemas/types.gen.ts';
import {
  causeOf,
  isRecent,
  unreacted,
  type CauseRule,
  type ClusterCause,
  type Evidence,
} from '../evidence.ts';

/** The taints that the hub sets while a cluster is unhealthy. */
const taintsOfHealth = new Set([
  'cluster.open-cluster-management.io/unreachable',
  'cluster.open-cluster-management.io/unavailable',
]);

/** Whether the hub set a taint because the cluster is unhealthy. */
export function isTaintOfHealth(key: string): boolean {
  return taintsOfHealth.has(key);
}

/** The cluster itself: no add-on works on a cluster that left or is unreachable. */
export const clusterRule: CauseRule = ({ managedCluster, now }) => {
  if (managedCluster === undefined) return undefined;
  const { metadata, spec, status } = managedCluster;
  if (metadata.deletionTimestamp !== undefined)
    return causeOf(
      isRecent(metadata.deletionTimestamp, now, longestDeletion) ? 'cluster-deleting' : 'deletion-stuck',
      'the ManagedCluster is being deleted',
      metadata.deletionTimestamp,
    );
  if (spec?.hubAcceptsClient !== true)
    return causeOf(
      'cluster-not-accepted',
      'spec.hubAcceptsClient of the ManagedCluster is false, so its agents have no access to the hub',
    );
  if (conditionOf(status?.conditions, 'ManagedClusterJoined')?.status !== 'True') {
    const accepted = conditionOf(status?.conditions, 'HubAcceptedManagedCluster');
    if (accepted === undefined)
      return causeOf('hub-pending', 'spec.hubAcceptsClient is true, and the hub has not reacted yet');
    const since = accepted.lastTransitionTime;
    return isRecent(since, now)
      ? causeOf(
          'cluster-joining',
          'the hub has accepted the cluster, and its agent has not joined yet',
          since,
        )
      : causeOf('cluster-not-joined', 'the registration agent of the cluster has not joined the hub', since);
  }
  const available = conditionOf(status?.conditions, 'ManagedClusterConditionAvailable');
  // The registration agent has not reported yet.
  if (available === undefined || available.status === 'True') return undefined;
  return causeOf(
    'cluster-unavailable',
    `${available.reason}: ${available.message}`,
    available.lastTransitionTime,
  );
};

/** The time after which the deletion of a cluster does not end by itself, in milliseconds: it waits for pre-delete hooks, which are Jobs. */
const longestDeletion = 3_600_000;

/** A cluster that the hub has tainted: it is unhealthy, or it has not reported yet. */
export function taintOfHealthCause(evidence: Evidence, taint: ManagedClusterV1Taint): ClusterCause {
  const ofCluster = clusterRule(evidence);
  if (ofCluster !== undefined) return ofCluster;
  const { conditions } = evidence.managedCluster?.status ?? {};
  const joined = conditionOf(conditions, 'ManagedClusterJoined')?.lastTransitionTime;
  return isRecent(joined, evidence.now)
    ? causeOf('cluster-joining', 'the cluster has joined, and its agent has not reported yet', joined)
    : causeOf(
        'cluster-unavailable',
        `taint ${taintWords(taint)} excludes the cluster, whose agent has never reported that it is available`,
        taint.timeAdded,
      );
}

/** A taint that no placement of the add-on tolerates. */
export const taintRule: CauseRule = (evidence) => {
  const { progress, taint, addOn } = evidence;
  if (progress !== 'unexpected' || taint === undefined) return undefined;
  if (isTaintOfHealth(taint.key)) return taintOfHealthCause(evidence, taint);
  const message = `taint ${taintWords(taint)} excludes the cluster from the placements of ${addOn.name}`;
  return unreacted(evidence, 'taint', message, taint.timeAdded);
};

/** The hub creates add-ons in the namespace of the cluster. */
export const namespaceRule: CauseRule = ({ progress, details }) =>
  progress === 'missing' && details.hasNamespace === false
    ? causeOf('namespace-missing', 'the hub has no namespace with the name of the cluster')
    : undefined;
