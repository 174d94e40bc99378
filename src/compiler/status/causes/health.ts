import { conditionOf } from '../../../base/objects/condition.ts';
import { formatTime, moment } from '../../../base/time/rfc3339.ts';
import type { Condition } from '../../../../schemas/types.gen.ts';
import { addOnCondition, causeOf, isFalse, type CauseRule, type Evidence } from '../evidence.ts';

/** A cluster in progress after the time that its strategy allows. */
export const deadlineRule: CauseRule = (evidence) => {
  const { expected, progress, position, now } = evidence;
  if (progress !== 'Progressing' && progress !== 'Failed') return undefined;
  const deadline = position.deadlineOf(expected);
  const progressing = addOnCondition(evidence, 'Progressing');
  // The hub has written the configuration, and not yet that it is in progress: the time is that of the last one.
  if (progressing?.reason === 'Completed') return undefined;
  const since = moment(progressing?.lastTransitionTime);
  if (deadline === undefined || since === undefined || since + deadline > now) return undefined;
  const what = unavailableManifest(evidence) ?? progressing?.message ?? '';
  return causeOf('deadline-passed', `the progressDeadline has passed: ${what}`, formatTime(since + deadline));
};

/** The agent of the add-on, as Leases, probes and works report it. */
export const healthRule: CauseRule = (evidence) => {
  const available = addOnCondition(evidence, 'Available');
  const since = available?.lastTransitionTime;
  const code = available === undefined ? undefined : leaseCauses.get(available.reason);
  const isInProgress = evidence.progress === 'Progressing' || evidence.progress === 'Failed';
  const unavailable = unavailableManifest(evidence);
  if (unavailable !== undefined) {
    const progressing = addOnCondition(evidence, 'Progressing');
    return isInProgress
      ? causeOf('workload-starting', unavailable, progressing?.lastTransitionTime)
      : causeOf('workload-unavailable', unavailable, since);
  }
  if (available !== undefined && available.status !== 'True') {
    if (firstReports.has(available.reason) && (isInProgress || isNew(evidence, since)))
      return causeOf('workload-starting', 'the agent is new, and has not reported its health yet', since);
    if (code !== undefined) return causeOf(code, leaseWords(evidence, available), since);
    if (available.reason === 'NoProbeResult')
      return causeOf('probe-missing', 'the work agent has returned no value for the probe', since);
    const message = `${available.reason}: ${available.message}`;
    return isInProgress
      ? causeOf('workload-starting', message, since)
      : causeOf('workload-unavailable', message, since);
  }
  const degraded = addOnCondition(evidence, 'Degraded');
  if (degraded?.status === 'True')
    return causeOf('degraded', `${degraded.reason}: ${degraded.message}`, degraded.lastTransitionTime);
  const progressing = addOnCondition(evidence, 'Progressing');
  if (isInProgress && progressing !== undefined)
    return causeOf('workload-starting', progressing.message, progressing.lastTransitionTime);
  if (available === undefined) return causeOf('health-unreported', 'Available is not reported yet');
  return undefined;
};

/** The reasons of Available before an agent reports for the first time. */
const firstReports = new Set(['ManagedClusterAddOnLeaseNotFound', 'NoProbeResult']);

/**
 * How long an agent may take until its first report, in milliseconds. OCM's work agent reads the values of probes every 10 to 19 s, and a
 * workload has to start before it creates a Lease.
 */
const firstReportTime = 30_000;

/** Whether the works of the add-on were applied moments ago. Until they are, the time counts from the first word about the health. */
function isNew(evidence: Evidence, unhealthySince: string | undefined): boolean {
  const applied = addOnCondition(evidence, 'ManifestApplied');
  const since = moment(applied?.status === 'True' ? applied.lastTransitionTime : unhealthySince);
  return since !== undefined && evidence.now - since < firstReportTime;
}

/** The reasons of OCM's registration agent. */
const leaseCauses = new Map([
  ['ManagedClusterAddOnLeaseNotFound', 'lease-missing'],
  ['ManagedClusterAddOnLeaseUpdateStopped', 'lease-not-renewed'],
] as const) as ReadonlyMap<string, 'lease-missing' | 'lease-not-renewed'>;

function leaseWords({ addOn, observed }: Evidence, { reason }: Condition): string {
  const namespace = observed?.status?.namespace ?? observed?.spec?.installNamespace;
  const lease = `Lease ${addOn.name} in namespace ${namespace ?? 'open-cluster-management-agent-addon'}`;
  return reason === 'ManagedClusterAddOnLeaseNotFound'
    ? `the cluster has no ${lease}: the agent does not run there, or renews a Lease elsewhere`
    : `the agent stopped to renew ${lease}`;
}

/** Returns the first manifest that is not available, and why. */
function unavailableManifest({ details }: Evidence): string | undefined {
  for (const { conditions, manifests } of details.works) {
    const ofWork = conditionOf(conditions, 'Available');
    if (!isFalse(ofWork)) continue;
    for (const { name, conditions: ofManifest } of manifests) {
      const available = conditionOf(ofManifest, 'Available');
      if (isFalse(available)) return `${name} is not available: ${available.message}`;
    }
    return ofWork.message;
  }
  return undefined;
}
