import { microTimestamp, type Clock } from '../../client/clock.ts';
import { leases, type Lease } from '../election/lease.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { keyOfName, type ObjectName } from '../../client/object.ts';
import type { Log } from '../operation/log.ts';
import type { RepeatedTask } from './repeated-task.ts';
import type { Probe } from './probe/probe.ts';

export interface HeartbeatOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly probe: Probe;
  /** The Lease: it has the name of the add-on, in the namespace in which the add-on is installed. */
  readonly lease: Required<ObjectName>;
  /** Milliseconds between two heartbeats. */
  readonly period: number;
  /** Called after each probe. */
  readonly onProbe?: (passed: boolean) => void;
}

/**
 * Renews the Lease of an add-on while its probe passes. OCM considers the add-on unavailable if the Lease was not
 * renewed for five periods of one minute. As addon-framework pkg/lease.
 */
export function heartbeat({
  client,
  clock,
  log,
  probe,
  lease,
  period,
  onProbe,
}: HeartbeatOptions): RepeatedTask {
  let last: true | string | undefined;
  // Plus or minus a tenth, so that the agents of a cluster do not send heartbeats at the same time.
  const next = (): number => period * (0.9 + clock.random() / 5);
  return {
    name: 'heartbeat',
    step: async (signal) => {
      const result = await probe(signal);
      if (signal.aborted) return 0;
      onProbe?.(result === true);
      if (result !== last) {
        if (result !== true) log.warn({ probe: result }, 'the probe fails, so the lease is not renewed');
        else if (last !== undefined) log.info({}, 'the probe passes again');
      }
      last = result;
      if (result !== true) return next();
      const renewed: Lease & { readonly metadata: ObjectName } = {
        apiVersion: leases.apiVersion,
        kind: leases.kind,
        metadata: lease,
        spec: { leaseDurationSeconds: 60, renewTime: microTimestamp(clock.now()) },
      };
      await client.apply(leases, renewed, { signal });
      log.debug({ lease: keyOfName(lease) }, 'renewed');
      return next();
    },
  };
}
