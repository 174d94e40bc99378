/** How an add-on on a cluster relates to the prediction. */
export type StatusState =
  /** It has the predicted configuration, and it is healthy. */
  | 'as predicted'
  /** The hub or the cluster is still working on it, as it should. */
  | 'on the way'
  /** It has another configuration than predicted, and waiting does not change that. */
  | 'different'
  /** It has the predicted configuration, and it does not work. */
  | 'unhealthy';

/** What a cause means. */
export interface CauseDescription {
  /** What `docs/status.md` and the reports call it. */
  readonly title: string;
  readonly state: Exclude<StatusState, 'as predicted'>;
}

function describes<K extends string>(
  table: Record<K, CauseDescription>,
): Readonly<Record<K, CauseDescription>> {
  return table;
}

/** Every cause, in the order in which one leads to another: a cluster has the first that applies. */
export const causes = describes({
  'git-not-applied': { title: 'Git is not applied yet', state: 'different' },
  'content-rolled-back': { title: 'the content of Git was rolled back', state: 'different' },
  'promotion-stopped': { title: 'a promotion waits for a person', state: 'different' },
  'promotion-waits': { title: 'a promotion has not released the content', state: 'on the way' },
  taint: { title: 'a taint excludes the cluster', state: 'on the way' },
  'cluster-deleting': { title: 'the cluster is being deleted', state: 'on the way' },
  'cluster-not-accepted': { title: 'the hub does not accept the cluster', state: 'different' },
  'cluster-joining': { title: 'the cluster is joining', state: 'on the way' },
  'cluster-not-joined': { title: 'the cluster has not joined', state: 'different' },
  'cluster-unavailable': { title: 'the cluster is unavailable', state: 'unhealthy' },
  'namespace-missing': { title: 'the namespace of the cluster is missing on the hub', state: 'different' },
  'hook-running': { title: 'a pre-delete hook is running', state: 'on the way' },
  'hook-not-run': { title: 'nobody runs the pre-delete hook', state: 'different' },
  'deletion-stuck': { title: 'the deletion does not end', state: 'different' },
  'deletion-pending': { title: 'the deletion is not finished', state: 'on the way' },
  'not-removed': { title: 'the hub has not removed it', state: 'on the way' },
  'rollout-error': { title: 'the hub cannot process the add-on', state: 'different' },
  'configuration-unsupported': {
    title: 'the add-on does not support a kind of configuration',
    state: 'different',
  },
  'configuration-missing': { title: 'a configuration has no hash', state: 'different' },
  'budget-spent': { title: 'more clusters failed than maxFailures allows', state: 'different' },
  'rollout-blocked': { title: 'other clusters block the rollout', state: 'different' },
  'wave-not-reached': { title: 'its wave is not reached', state: 'on the way' },
  'permissions-failed': { title: 'the permissions on the hub cannot be set', state: 'different' },
  'manager-silent': { title: 'no add-on manager handles it', state: 'different' },
  'hub-pending': { title: 'the hub has not reacted yet', state: 'on the way' },
  'hub-silent': { title: 'the hub does not react', state: 'different' },
  'work-too-large': { title: 'a work is too large', state: 'different' },
  'work-refused': { title: 'the hub rejects a work', state: 'different' },
  'template-refused': { title: 'the manifests cannot be rendered', state: 'different' },
  'token-unprepared': { title: 'nothing on the hub has prepared the token', state: 'unhealthy' },
  'token-failed': { title: 'the token cannot be requested', state: 'unhealthy' },
  'token-expired': { title: 'the token has expired', state: 'unhealthy' },
  'request-refused': { title: 'a certificate request is refused', state: 'unhealthy' },
  'request-in-progress': { title: 'a certificate request is being processed', state: 'on the way' },
  'request-pending': { title: 'a certificate request is not approved', state: 'unhealthy' },
  'certificate-failed': { title: 'the certificate cannot be renewed', state: 'unhealthy' },
  'certificate-expired': { title: 'the certificate has expired', state: 'unhealthy' },
  'manifest-refused': { title: 'a webhook of the cluster rejects a manifest', state: 'different' },
  'manifest-conflict': { title: 'another writer owns fields of a manifest', state: 'different' },
  'manifest-namespace-missing': { title: 'a namespace is missing on the cluster', state: 'different' },
  'manifest-kind-missing': { title: 'the cluster does not serve a kind', state: 'different' },
  'manifest-forbidden': { title: 'the work agent lacks a permission', state: 'different' },
  'manifest-immutable': { title: 'a manifest changes an immutable field', state: 'different' },
  'manifest-failed': { title: 'a manifest cannot be applied', state: 'different' },
  'work-agent-silent': { title: 'the work agent has not reported', state: 'on the way' },
  'work-agent-stopped': { title: 'the work agent does not report', state: 'different' },
  'deadline-passed': { title: 'its progressDeadline has passed', state: 'different' },
  'lease-missing': { title: 'the agent has no Lease on the cluster', state: 'unhealthy' },
  'lease-not-renewed': { title: 'the agent does not renew its Lease', state: 'unhealthy' },
  'probe-missing': { title: 'the probe has no result', state: 'unhealthy' },
  'workload-starting': { title: 'the workload is not available yet', state: 'on the way' },
  'workload-unavailable': { title: 'the workload is not available', state: 'unhealthy' },
  degraded: { title: 'the add-on reports that it is degraded', state: 'unhealthy' },
  'health-unreported': { title: 'the health is not reported yet', state: 'on the way' },
});

/** The name of a cause. Scripts may depend on it. */
export type CauseCode = keyof typeof causes;
