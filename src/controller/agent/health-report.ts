import type { ManagedClusterAddOnV1alpha1 } from '../../../schemas/types.gen.ts';
import { timestamp, type Clock } from '../../client/clock.ts';
import { conditionOf, isUnchanged, withCondition } from '../../base/objects/condition.ts';
import { leases, type Lease } from '../election/lease.ts';
import type { ApiClient } from '../../client/api-client.ts';
import type { Stored } from '../../client/object.ts';
import type { Log } from '../operation/log.ts';
import { managedClusterAddOns } from '../add-on/managed-cluster-add-ons.ts';
import { agentNamespace, type AgentAddOn } from './agent-add-on.ts';
import type { RepeatedTask } from './repeated-task.ts';

/**
 * As in OCM's registration agent: how often it checks, and after how long it reports an add-on as unavailable.
 * Milliseconds.
 */
const interval = 30_000;
const grace = 300_000;

export interface HealthReportOptions {
  readonly hub: ApiClient;
  readonly cluster: ApiClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly addOn: AgentAddOn;
}

/** The availability of an add-on that is reported to the hub. */
export interface Availability {
  readonly type: 'Available';
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/** Returns the availability that a Lease shows. As managedClusterAddOnLeaseController of OCM's registration agent. */
export function availabilityOf(addOn: string, lease: Lease | undefined, now: number): Availability {
  if (lease === undefined)
    return {
      type: 'Available',
      status: 'Unknown',
      reason: 'ManagedClusterAddOnLeaseNotFound',
      message: `The status of ${addOn} add-on is unknown.`,
    };
  const renewed = Date.parse(lease.spec?.renewTime ?? '');
  // A Lease that was never renewed counts as one that was renewed long ago.
  return now < renewed + grace
    ? {
        type: 'Available',
        status: 'True',
        reason: 'ManagedClusterAddOnLeaseUpdated',
        message: `${addOn} add-on is available.`,
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'ManagedClusterAddOnLeaseUpdateStopped',
        message: `${addOn} add-on is not available.`,
      };
}

/**
 * Reports to the hub whether the Lease of an add-on is renewed, in the condition Available of its
 * ManagedClusterAddOn. Reports nothing if the hub determines the health of the add-on in another way.
 */
export function healthReport({ hub, cluster, clock, log, addOn }: HealthReportOptions): RepeatedTask {
  return {
    name: 'health-report',
    step: async (signal) => {
      const object = { namespace: addOn.cluster, name: addOn.name };
      const onHub = await hub.get(managedClusterAddOns, object, signal);
      // as in OCM: every mode except Customized uses the lease
      if (onHub === undefined || onHub.status?.healthCheck?.mode === 'Customized') return interval;
      const lease = { namespace: agentNamespace(addOn, onHub), name: addOn.name };
      const availability = availabilityOf(addOn.name, await cluster.get(leases, lease, signal), clock.now());
      const patch = statusWith(onHub, availability, clock.now());
      if (patch === undefined) return interval;
      await hub.merge(managedClusterAddOns, object, patch, { subresource: 'status', signal });
      log.info({ status: availability.status, reason: availability.reason }, 'reported to the hub');
      return interval;
    },
  };
}

/**
 * Returns the patch that sets the condition, or undefined if the status already has it. A condition keeps its time
 * while its status stays.
 */
function statusWith(
  { metadata, status }: Stored<ManagedClusterAddOnV1alpha1>,
  availability: Availability,
  now: number,
): object | undefined {
  const conditions = status?.conditions ?? [];
  if (isUnchanged(conditionOf(conditions, availability.type), availability)) return undefined;
  return {
    // A list is replaced as a whole: do not overwrite concurrent changes of other writers.
    metadata: { resourceVersion: metadata.resourceVersion },
    status: {
      conditions: withCondition(conditions, { ...availability, lastTransitionTime: timestamp(now) }),
    },
  };
}
