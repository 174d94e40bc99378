import { conditionOf } from '../../base/objects/condition.ts';
import type { ManagedClusterV1, ManagedClusterV1Taint } from '../../../schemas/types.gen.ts';
import { formatTime } from '../../base/time/rfc3339.ts';
import { clusterSetLabel } from './cluster-sets.ts';

/** The taint that a hub adds to unreachable clusters. */
export const unreachableTaint = 'cluster.open-cluster-management.io/unreachable';
/** The taint that a hub adds to clusters whose API server is not healthy. */
export const unavailableTaint = 'cluster.open-cluster-management.io/unavailable';

const availableCondition = 'ManagedClusterConditionAvailable';

/** The taint for each status of that condition. A cluster without the condition never joined. */
const availabilityTaints = { True: undefined, False: unavailableTaint, Unknown: unreachableTaint } as const;

/**
 * Returns a cluster after the changes that a hub makes before any placement reads it: the label of the `default` set, times of
 * taints, availability taints. `now` is in milliseconds since 1970. Returns the same object if nothing changes.
 */
export function clusterOnHub(cluster: ManagedClusterV1, now: number): ManagedClusterV1 {
  return withAvailabilityTaints(clusterAfterWebhook(cluster, now), now);
}

/** Returns a cluster as OCM's webhook for clusters changes it. `now` is in milliseconds since 1970. */
export function clusterAfterWebhook(cluster: ManagedClusterV1, now: number): ManagedClusterV1 {
  return withTaintTimes(withSetLabel(cluster), now);
}

/** As addDefaultClusterSetLabel of OCM's webhook for clusters; an empty label counts as missing. */
function withSetLabel(cluster: ManagedClusterV1): ManagedClusterV1 {
  const { labels } = cluster.metadata;
  if ((labels?.[clusterSetLabel] ?? '') !== '') return cluster;
  return {
    ...cluster,
    metadata: { ...cluster.metadata, labels: { ...labels, [clusterSetLabel]: 'default' } },
  };
}

/** As processTaints of the same webhook: a taint counts from the time at which it is added. */
function withTaintTimes(cluster: ManagedClusterV1, now: number): ManagedClusterV1 {
  const taints = cluster.spec?.taints ?? [];
  if (taints.every(hasTime)) return cluster;
  const added = { timeAdded: formatTime(now) };
  const timed: ManagedClusterV1Taint[] = [];
  for (const taint of taints) timed.push(hasTime(taint) ? taint : { ...taint, ...added });
  return withTaints(cluster, timed);
}

/** As OCM's taint controller, which ignores clusters that are being deleted. */
function withAvailabilityTaints(cluster: ManagedClusterV1, now: number): ManagedClusterV1 {
  if ((cluster.metadata.deletionTimestamp ?? '') !== '') return cluster;
  const condition = conditionOf(cluster.status?.conditions, availableCondition);
  return withAvailabilityTaint(cluster, availabilityTaints[condition?.status ?? 'Unknown'], now);
}

function withAvailabilityTaint(
  cluster: ManagedClusterV1,
  wanted: string | undefined,
  now: number,
): ManagedClusterV1 {
  const taints = cluster.spec?.taints ?? [];
  const remaining = taints.filter((taint) => !isAvailabilityTaint(taint) || taint.key === wanted);
  if (wanted !== undefined && !remaining.some(isAvailabilityTaint)) {
    remaining.push({ key: wanted, effect: 'NoSelect', timeAdded: formatTime(now) });
  } else if (remaining.length === taints.length) {
    return cluster;
  }
  return withTaints(cluster, remaining);
}

/**
 * Whether the hub added the taint. It identifies its taints by key, value and effect; others with such a key belong to the user.
 */
function isAvailabilityTaint({ key, value = '', effect }: ManagedClusterV1Taint): boolean {
  return (key === unreachableTaint || key === unavailableTaint) && value === '' && effect === 'NoSelect';
}

function withTaints(cluster: ManagedClusterV1, taints: readonly ManagedClusterV1Taint[]): ManagedClusterV1 {
  return { ...cluster, spec: { ...cluster.spec, taints } };
}

function hasTime({ timeAdded }: ManagedClusterV1Taint): boolean {
  return timeAdded !== undefined && timeAdded !== null;
}
