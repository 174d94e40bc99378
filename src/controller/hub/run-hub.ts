import { setMaxListeners } from 'node:events';
import type { Clock } from '../../client/clock.ts';
import type { RequestReport } from '../../client/api-calls.ts';
import { ApiClient } from '../../client/api-client.ts';
import { fenced } from '../../client/fence.ts';
import type { Transport } from '../../client/transport.ts';
import { ClockSkew } from '../operation/clock-skew.ts';
import { health } from '../operation/health.ts';
import { serve } from '../operation/http-server.ts';
import type { Log } from '../operation/log.ts';
import { Metrics } from '../operation/metrics.ts';
import { certificateMetrics } from './approval/certificate-context.ts';
import { hubChecks } from './hub-health.ts';
import { component, HubService } from './hub-service.ts';
import type { HubSettings } from './hub-settings.ts';
import { leaderElection, replicaGroup, runShards, type ShardedRun } from './run-shards.ts';
import { wholeHub } from './shard.ts';

export interface HubRun {
  readonly settings: HubSettings;
  readonly transport: Transport;
  /** The default namespace of the Lease. */
  readonly namespace: string;
  /** The unique identity of this replica. */
  readonly identity: string;
  readonly clock: Clock;
  readonly log: Log;
  /** @default new ones, with those of the process */
  readonly metrics?: Metrics;
}

/** What serves the clusters of the hub. */
interface Serving {
  /** Whether this replica can serve, or take over; otherwise what is missing. */
  readonly ready: () => true | string;
  /** Serves until the signal is aborted, and returns when no work is in flight any more. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/**
 * Runs `controller hub` until the signal is aborted, and returns when nothing is in flight any more. On shutdown it
 * first becomes unready. Queues return no more keys, and work in flight is finished while the lease is renewed. Then
 * the lease is released. Caches and connections are closed last.
 */
export async function runHub(run: HubRun, signal: AbortSignal): Promise<void> {
  const { settings, transport, clock, log, identity } = run;
  const metrics = run.metrics ?? new Metrics();
  const [following, abandoned] = [new AbortController(), new AbortController()];
  // All caches and all requests listen to them.
  setMaxListeners(0, signal, following.signal, abandoned.signal);
  const skew = new ClockSkew(clock, log, metrics.onClockSkew);
  const onRequest = (report: RequestReport): void => {
    metrics.onRequest(report);
    skew.observe(report.clockSkew);
  };
  const requests = { clock, fieldManager: component, onRequest };
  const sharded: ShardedRun = {
    settings,
    client: new ApiClient(transport, requests),
    // A hub that answers the controllers slowly must not cost the lease. as client-go: there is time for a second
    // attempt
    urgent: new ApiClient(transport, { ...requests, urgent: true, patience: settings.renewDeadline / 2 }),
    clock,
    log,
    identity,
    certificates: { metrics: certificateMetrics(metrics), namespace: run.namespace },
    namespace: settings.leaderElectionNamespace ?? run.namespace,
    metrics,
    services: new Set(),
    elections: new Set(),
    abandoned: abandoned.signal,
  };
  const serving = settings.shards === 1 ? wholeServing(sharded, following.signal) : shardServing(sharded);
  const server = await serve({
    listen: settings.listen,
    healthy: health(hubChecks(sharded.services, sharded.elections), log),
    ready: () => (signal.aborted ? 'the controller stops' : serving.ready()),
    registry: metrics.registry,
  });
  log.info({ port: server.port, hub: transport.server }, 'started');
  const followed = Promise.all([...sharded.services].map(async (service) => await service.follow()));
  signal.addEventListener(
    'abort',
    () => void clock.sleep(settings.stopWithin, following.signal).then(() => abandoned.abort()),
    { once: true },
  );
  try {
    await serving.run(signal);
  } finally {
    following.abort();
    await followed;
    await server.close();
    transport.close();
  }
  log.info({}, 'stopped');
}

/** Serves all clusters while this replica leads. Replicas that wait have full caches, so that they can start immediately. */
function wholeServing(run: ShardedRun, following: AbortSignal): Serving {
  const { settings, client, metrics, abandoned, services, elections } = run;
  const election = leaderElection(run, {
    name: settings.leaderElectionName,
    log: run.log,
    onLeadership: (leads) => metrics.onShards(leads ? 1 : 0),
  });
  const writer = settings.leaderElection ? client.over((transport) => fenced(transport, election)) : client;
  const service = new HubService(run, { shard: wholeHub, writer, metrics: metrics.ofShard() }, following);
  services.add(service);
  elections.add(election);
  return {
    ready: () => service.filled,
    run: async (signal) => {
      if (settings.leaderElection) {
        const work = async (leading: AbortSignal): Promise<void> =>
          await service.work(leading, AbortSignal.any([election.signal, abandoned]));
        await election.run(work, signal);
        return;
      }
      metrics.onShards(1);
      await service.work(signal, abandoned);
    },
  };
}

/** Serves the clusters of some shards. */
function shardServing(run: ShardedRun): Serving {
  const group = replicaGroup(run);
  run.elections.add(group);
  return {
    ready: () => {
      if (!group.hasRead) return 'the Lease is not read yet';
      return [...run.services].map(({ filled }) => filled).find((filled) => filled !== true) ?? true;
    },
    run: async (signal) => await runShards(run, group, signal),
  };
}
