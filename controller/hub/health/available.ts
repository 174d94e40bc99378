import type {
  Condition,
  ManagedClusterV1,
  ManifestWorkV1,
  ManifestWorkV1ManifestCondition,
} from '../../../schemas/types.gen.ts';
import type { Stored } from '../../kube/object.ts';
import { conditionOf, type DecidedCondition } from '../condition.ts';
import { workloadsOf } from './workloads.ts';

/** The condition of a ManagedCluster that says whether it is reached. */
export const clusterAvailable = 'ManagedClusterConditionAvailable';

/**
 * `Available` of every add-on of a cluster that is not reached; undefined while it is. As OCM's registration
 * healthcheck_controller, which says the same.
 */
export function unreachable(cluster: ManagedClusterV1): DecidedCondition | undefined {
  const condition = conditionOf(cluster.status?.conditions, clusterAvailable);
  if (condition?.status !== 'Unknown') return undefined;
  const { status, reason, message } = condition;
  return { type: 'Available', status, reason, message };
}

/**
 * `Available` of an add-on whose Lease tells it: what the cluster's agent says, and OCM's hub while that is silent. Who
 * says it again here is too late where the agent is back before the hub knows, and undoes what it said of the Lease.
 *
 * @param held - undefined where nobody has said anything yet, as of add-ons that come while the cluster is silent
 */
export function availableByLease(
  cluster: ManagedClusterV1,
  held: Condition | undefined,
): DecidedCondition | undefined {
  return held === undefined ? unreachable(cluster) : undefined;
}

/**
 * `Available` of an add-on by what its works tell of its Deployments and DaemonSets. As addon-framework
 * probeAddonStatusByWorks with WorkloadAvailability.
 *
 * @param works the add-on's works that are to stay
 */
export function availableByWorks(addOn: string, works: readonly Stored<ManifestWorkV1>[]): DecidedCondition {
  if (works.length === 0) return unknown('WorkNotFound', 'Addon manifestWork is not found');
  const manifests: ManifestWorkV1ManifestCondition[] = [];
  for (const { status } of works) {
    const condition = conditionOf(status?.conditions, 'Available');
    if (condition === undefined) return unknown('WorkNotApplied', 'Addon manifestWork is not applied yet');
    if (condition.status === 'False') return unavailable('WorkNotApplied', condition.message);
    manifests.push(...(status?.resourceStatus?.manifests ?? []));
  }
  return probed(addOn, works, manifests);
}

function probed(
  addOn: string,
  works: readonly Stored<ManifestWorkV1>[],
  manifests: readonly ManifestWorkV1ManifestCondition[],
): DecidedCondition {
  const told = new Map<string, ManifestWorkV1ManifestCondition>();
  for (const manifest of manifests) {
    const { group = '', resource = '', namespace = '', name = '' } = manifest.resourceMeta;
    if ((manifest.statusFeedback?.values ?? []).length > 0)
      told.set(`${resource}.${group}/${namespace}/${name}`, manifest);
  }
  const workloads = works.flatMap(workloadsOf).filter(({ replicas }) => replicas !== 0);
  const results = workloads.flatMap(({ resource, namespace, name }) => {
    const manifest = told.get(`${resource}.apps/${namespace}/${name}`);
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
