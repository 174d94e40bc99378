import { setMaxListeners } from 'node:events';
import type { ApiObject } from '../../client/object.ts';
import { allSynced, type Informer } from '../cache/informer.ts';
import type { Clock } from '../../client/clock.ts';
import { LeaderElection } from '../election/leader-election.ts';
import { EventRecorder } from '../events/event-recorder.ts';
import type { RequestReport } from '../../client/api-calls.ts';
import { ApiClient } from '../../client/api-client.ts';
import { fenced } from '../../client/fence.ts';
import type { Transport } from '../../client/transport.ts';
import { ClockSkew } from '../operation/clock-skew.ts';
import { health } from '../operation/health.ts';
import { serve } from '../operation/http-server.ts';
import type { Log } from '../operation/log.ts';
import { Metrics } from '../operation/metrics.ts';
import { runControllers, type Controller } from '../queue/controller.ts';
import type { WorkQueue } from '../queue/work-queue.ts';
import { servedAddOnVersion } from './add-on-version.ts';
import { ConfigCache } from './configuration/config-cache.ts';
import { addOnController } from './add-on-controller.ts';
import { certificateControllers, type CertificateOptions } from './certificate-controllers.ts';
import { certificateMetrics } from './approval/certificate-context.ts';
import { limitsOf } from './certificate-settings.ts';
import type { ControllerContext } from './controller-context.ts';
import { hookController } from './hooks/hook-controller.ts';
import { hubChecks } from './hub-health.ts';
import { createHubInformers, createTokenInformers } from './hub-informers.ts';
import type { HubSettings } from './hub-settings.ts';
import { whyUnmanaged } from './managed-add-ons.ts';
import { overrideInventoryController } from './override-inventory/override-inventory-controller.ts';

/** The field manager of the companion, and the reporter of its Events. */
const component = 'fleetwright-controller';

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

/** Returns the controllers of the hub, created again whenever this replica starts to lead. */
function hubControllers(context: ControllerContext, certificates: CertificateOptions): readonly Controller[] {
  return [
    addOnController(context),
    overrideInventoryController(context),
    hookController(context),
    ...certificateControllers(context, certificates),
  ];
}

function leaderElection(
  { settings, transport, clock, log, namespace, identity }: HubRun,
  requests: ConstructorParameters<typeof ApiClient>[1],
  metrics: Metrics,
): LeaderElection {
  return new LeaderElection({
    // A hub that answers the controllers slowly must not cost the lease. as client-go: there is time for a second
    // attempt
    client: new ApiClient(transport, { ...requests, urgent: true, patience: settings.renewDeadline / 2 }),
    clock,
    log,
    name: settings.leaderElectionName,
    namespace: settings.leaderElectionNamespace ?? namespace,
    identity,
    timing: {
      lease: settings.leaseDuration,
      renewDeadline: settings.renewDeadline,
      retry: settings.retryPeriod,
    },
    onLeadership: metrics.onLeadership,
  });
}

/** Warns of add-ons of `--add-on` that exist and are not managed. */
function warnOfUnmanaged(
  { addOn: addOns }: HubSettings,
  informers: ReturnType<typeof createHubInformers>,
  log: Log,
): void {
  for (const addOn of addOns) {
    const why = whyUnmanaged(informers.clusterManagementAddOns.store.get(addOn));
    if (why !== undefined) log.warn({ addOn, why }, 'an add-on of --add-on is not managed');
  }
}

/** Whether all caches are filled; otherwise those that are not. */
function filled(caches: readonly Pick<Informer<ApiObject>, 'hasSynced' | 'resource'>[]): true | string {
  const empty = caches.filter(({ hasSynced }) => !hasSynced).map(({ resource }) => resource.plural);
  return empty.length === 0 || `the caches of ${empty.join(', ')} are not filled yet`;
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
  const client = new ApiClient(transport, requests);
  const election = leaderElection(run, requests, metrics);
  const writer = settings.leaderElection ? client.over((transport) => fenced(transport, election)) : client;
  const caching = { client, clock, log, metrics: metrics.informers, resync: settings.resync };
  const informers = createHubInformers({ ...caching, limits: limitsOf(settings) });
  const tokenInformers = settings.tokenRegistration ? createTokenInformers(caching) : undefined;
  const events = new EventRecorder({ client: writer, clock, log, component, instance: identity });
  const configs = new ConfigCache({ ...caching, mostSecrets: settings.maxSecretConfigs }, following.signal);
  const certificates = { metrics: certificateMetrics(metrics), namespace: run.namespace };
  const caches: readonly Pick<Informer<ApiObject>, 'run' | 'hasSynced' | 'resource' | 'silence'>[] = [
    ...Object.values(informers),
    ...Object.values(tokenInformers ?? {}),
  ];
  const queues = new Set<WorkQueue>();
  const server = await serve({
    listen: settings.listen,
    healthy: health(hubChecks(caches, queues, election), log),
    ready: () => (signal.aborted ? 'the controller stops' : filled(caches)),
    registry: metrics.registry,
  });
  log.info({ port: server.port, hub: transport.server }, 'started');
  const followed = Promise.all(caches.map(async (cache) => await cache.run(following.signal)));
  // Replicas that wait for leadership have full caches, so that they can start immediately.
  const work = async (leading: AbortSignal): Promise<void> => {
    if (!(await allSynced(caches, clock, leading))) return;
    warnOfUnmanaged(settings, informers, log);
    const ownerVersion = await servedAddOnVersion({ client, clock, log }, leading);
    const context = {
      client: writer,
      informers,
      tokenInformers,
      configs,
      ownerVersion,
      settings,
      events,
      clock,
      log,
      metrics,
    };
    const end = settings.leaderElection
      ? AbortSignal.any([election.signal, abandoned.signal])
      : abandoned.signal;
    setMaxListeners(0, end);
    await runControllers(
      hubControllers(context, certificates),
      { clock, log, metrics, queues },
      leading,
      end,
    );
  };
  signal.addEventListener(
    'abort',
    () => void clock.sleep(settings.stopWithin, following.signal).then(() => abandoned.abort()),
    { once: true },
  );
  try {
    if (!settings.leaderElection) metrics.onLeadership(true);
    await (settings.leaderElection ? election.run(work, signal) : work(signal));
  } finally {
    following.abort();
    await Promise.all([followed, configs.ended()]);
    await server.close();
    transport.close();
  }
  log.info({}, 'stopped');
}
