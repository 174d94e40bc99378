import { setMaxListeners } from 'node:events';
import type { ApiObject } from '../kube/object.ts';
import { allSynced, type Informer } from '../cache/informer.ts';
import type { Clock } from '../clock.ts';
import { LeaderElection } from '../election/leader-election.ts';
import { EventRecorder } from '../events/event-recorder.ts';
import { ApiClient } from '../kube/api-client.ts';
import { fenced } from '../kube/fence.ts';
import type { Transport } from '../kube/transport.ts';
import { serve } from '../operation/http-server.ts';
import type { Log } from '../operation/log.ts';
import { Metrics } from '../operation/metrics.ts';
import { runControllers, type Controller } from '../queue/controller.ts';
import { servedAddOnVersion } from './add-on-version.ts';
import { ConfigCache } from './configuration/config-cache.ts';
import { addOnController } from './add-on-controller.ts';
import { certificateControllers, type CertificateOptions } from './certificate-controllers.ts';
import { certificateMetrics } from './approval/certificate-context.ts';
import { limitsOf } from './certificate-settings.ts';
import type { HubContext } from './hub-context.ts';
import { createHubInformers } from './hub-informers.ts';
import type { HubSettings } from './hub-settings.ts';
import { overrideInventoryController } from './override-inventory/override-inventory-controller.ts';

/** Who owns the fields that the companion writes, and who reports its Events. */
const component = 'fleetwright-controller';

export interface HubRun {
  readonly settings: HubSettings;
  readonly transport: Transport;
  /** Where the Lease is, unless the settings say. */
  readonly namespace: string;
  /** Which replica this is: no other has the same. */
  readonly identity: string;
  readonly clock: Clock;
  readonly log: Log;
  /** @default new ones, with those of the process */
  readonly metrics?: Metrics;
}

/** The controllers of the hub, made anew whenever this replica begins to lead. */
function hubControllers(context: HubContext, certificates: CertificateOptions): readonly Controller[] {
  return [
    addOnController(context),
    overrideInventoryController(context),
    ...certificateControllers(context, certificates),
  ];
}

/** Runs `controller hub` until the signal is aborted, and returns when nothing is under way any more. */
export async function runHub(run: HubRun, signal: AbortSignal): Promise<void> {
  const { settings, transport, clock, log, identity } = run;
  const metrics = run.metrics ?? new Metrics();
  // All caches and all requests listen to it.
  setMaxListeners(0, signal);
  const client = new ApiClient(transport, { clock, fieldManager: component, onRequest: metrics.onRequest });
  const election = new LeaderElection({
    client,
    clock,
    log,
    name: settings.leaderElectionName,
    namespace: settings.leaderElectionNamespace ?? run.namespace,
    identity,
    timing: {
      lease: settings.leaseDuration,
      renewDeadline: settings.renewDeadline,
      retry: settings.retryPeriod,
    },
    onLeadership: metrics.onLeadership,
  });
  const writer = settings.leaderElection ? client.over((transport) => fenced(transport, election)) : client;
  const informers = createHubInformers({
    client,
    clock,
    log,
    metrics: metrics.informers,
    resync: settings.resync,
    limits: limitsOf(settings),
  });
  const events = new EventRecorder({ client: writer, clock, log, component, instance: identity });
  const configs = new ConfigCache(
    { client, clock, log, metrics: metrics.informers, resync: settings.resync },
    signal,
  );
  const certificates = { metrics: certificateMetrics(metrics), namespace: run.namespace };
  const caches: readonly Pick<Informer<ApiObject>, 'run' | 'hasSynced'>[] = Object.values(informers);
  const isSynced = (): boolean => caches.every(({ hasSynced }) => hasSynced);
  const server = await serve({
    listen: settings.listen,
    healthy: () => true,
    ready: () => isSynced() || 'the caches are not filled yet',
    registry: metrics.registry,
  });
  log.info({ port: server.port, hub: transport.server }, 'started');
  const following = caches.map(async (cache) => await cache.run(signal));
  // Those that wait to lead have full caches, so that they can begin at once.
  const work = async (leading: AbortSignal): Promise<void> => {
    if (!(await allSynced(caches, clock, leading))) return;
    const ownerVersion = await servedAddOnVersion({ client, clock, log }, leading);
    const context = {
      client: writer,
      informers,
      configs,
      ownerVersion,
      settings,
      events,
      clock,
      log,
      metrics,
    };
    await runControllers(hubControllers(context, certificates), { clock, log, metrics }, leading);
  };
  if (!settings.leaderElection) metrics.onLeadership(true);
  await (settings.leaderElection ? election.run(work, signal) : work(signal));
  await Promise.all([...following, configs.ended()]);
  await server.close();
  transport.close();
  log.info({}, 'stopped');
}
