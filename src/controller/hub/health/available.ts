import type {
  Condition,
  ManagedClusterV1,
  ManifestWorkV1,
  ManifestWorkV1ManifestCondition,
} from '../../../../schemas/types.gen.ts';
import type { Stored } from '../../../client/object.ts';
import type { DecidedCondition } from '../condition.ts';
import { conditionOf } from '../../../base/objects/condition.ts';
import { workloadsOf } from './workloads.ts';

/** The condition of a ManagedCluster that reports whether it is reachable. */
export const clusterAvailable = 'ManagedClusterConditionAvailable';

/**
 * Returns `Available` of every add-on of an unreachable cluster; undefined while it is reachable. As OCM's
 * registration healthcheck_controller, which sets the same.
 */
export function unreachable(cluster: ManagedClusterV1): DecidedCondition | undefined {
  const condition = conditionOf(cluster.status?.conditions, clusterAvailable);
  if (condition?.status !== 'Unknown') return undefined;
  const { status, reason, message } = condition;
  return { type: 'Available', status, reason, message };
}

/**
 * Returns `Available` of an add-on whose health mode is its Lease: the report of the cluster's agent, or that of
 * OCM's hub while the agent is silent. A repeated write here would be too late if the agent returns before the hub
 * notices, and would overwrite its report of the Lease.
 *
 * @param current - undefined if it was never reported, as for add-ons that are created while the cluster is silent
 */
export function availableByLease(
  cluster: ManagedClusterV1,
  current: Condition | undefined,
): DecidedCondition | undefined {
  return current === undefined ? unreachable(cluster) : undefined;
}

/**
 * Returns `Available` of an add-on from the Deployments and DaemonSets that its works report. As addon-framework
 * probeAddonStatusByWorks with WorkloadAvailability.
 *
 * @param works the add-on's works that are to stay; in hosted mode those of the hosting cluster
 * @param all those of both clusters: they have the workloads that must report something
 */
export function availableByWorks(
  addOn: string,
  works: readonly Stored<ManifestWorkV1>[],
  all = works,
): DecidedCondition {
  if (works.length === 0) return unknown('WorkNotFound', 'Addon manifestWork is not found');
  const manifests: ManifestWorkV1ManifestCondition[] = [];
  for (const { status } of works) {
    const condition = conditionOf(status?.conditions, 'Available');
    if (condition === undefined) return unknown('WorkNotApplied', 'Addon manifestWork is not applied yet');
    if (condition.status === 'False') return unavailable('WorkNotApplied', condition.message);
    manifests.push(...(status?.resourceStatus?.manifests ?? []));
  }
  return probed(addOn, all, manifests);
}

function probed(
  addOn: string,
  works: readonly Stored<ManifestWorkV1>[],
  manifests: readonly ManifestWorkV1ManifestCondition[],
): DecidedCondition {
  const reported = new Map<string, ManifestWorkV1ManifestCondition>();
  for (const manifest of manifests) {
    const { group = '', resource = '', namespace = '', name = '' } = manifest.resourceMeta;
    if ((manifest.statusFeedback?.values ?? []).length > 0)
      reported.set(`${resource}.${group}/${namespace}/${name}`, manifest);
  }
  const workloads = works.flatMap(workloadsOf).filter(({ replicas }) => replicas !== 0);
  const results = workloads.flatMap(({ resource, namespace, name }) => {
    const manifest = reported.get(`${resource}.apps/${namespace}/${name}`);
    return manifest === undefined ? [] : [{ resource, namespace, name, manifest }];
  });
  if (workloads.length > 0 && results.length === 0)
    return unknown('NoProbeResult', 'Probe results are not returned');
  for (const { resource, namespace, name, manifest } of results) {
    const fault = faultOf(resource, `${resource} ${namespace}/${name}`, manifest);
    if (fault !== undefined)
      return unavailable('ProbeUnavailable', `Probe addon unavailable with err ${fault}`);
  }
  const message = `${addOn} add-on is available.`;
  return { type: 'Available', status: 'True', reason: 'ProbeAvailable', message };
}

/** As addon-framework checkWorkloadAvailabilityHealth, word for word. */
function faultOf(
  resource: 'deployments' | 'daemonsets',
  workload: string,
  { statusFeedback }: ManifestWorkV1ManifestCondition,
): string | undefined {
  let [ready, desired] = [-1, -1];
  for (const { name, fieldValue } of statusFeedback?.values ?? []) {
    if (name === 'ReadyReplicas' || name === 'NumberReady') ready = fieldValue.integer ?? ready;
    if (name === 'Replicas' || name === 'DesiredNumberScheduled') desired = fieldValue.integer ?? desired;
  }
  if (ready === -1) return 'readyReplica is not probed';
  if (desired === -1) return 'desiredNumberReplicas is not probed';
  const isWell = resource === 'deployments' ? desired === 0 || ready >= 1 : ready === desired;
  return isWell
    ? undefined
    : `desiredNumberReplicas is ${desired} but readyReplica is ${ready} for ${workload}`;
}

function unknown(reason: string, message: string): DecidedCondition {
  return { type: 'Available', status: 'Unknown', reason, message };
}

function unavailable(reason: string, message: string): DecidedCondition {
  return { type: 'Available', status: 'False', reason, message };
}
