import { setMaxListeners } from 'node:events';
import type { ApiClient } from '../../client/api-client.ts';
import type { Clock } from '../../client/clock.ts';
import type { ApiObject } from '../../client/object.ts';
import { allSynced, type Informer } from '../cache/informer.ts';
import { EventRecorder } from '../events/event-recorder.ts';
import type { Log } from '../operation/log.ts';
import type { ShardMetrics } from '../operation/metrics.ts';
import { runControllers, type Controller } from '../queue/controller.ts';
import type { WorkQueue } from '../queue/work-queue.ts';
import { addOnController } from './add-on-controller.ts';
import { servedAddOnVersion } from './add-on-version.ts';
import { certificateControllers, type CertificateOptions } from './certificate-controllers.ts';
import { limitsOf } from './certificate-settings.ts';
import { ConfigCache } from './configuration/config-cache.ts';
import type { ControllerContext } from './controller-context.ts';
import { hookController } from './hooks/hook-controller.ts';
import { createHubInformers, createTokenInformers } from './hub-informers.ts';
import type { HubSettings } from './hub-settings.ts';
import { whyUnmanaged } from './managed-add-ons.ts';
import { overrideInventoryController } from './override-inventory/override-inventory-controller.ts';
import type { Shard } from './shard.ts';

/** The field manager of the companion, and the reporter of its Events. */
export const component = 'fleetwright-controller';

/** What the shards of a process have in common. */
export interface HubServiceOptions {
  readonly settings: HubSettings;
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly log: Log;
  /** The unique identity of this replica. */
  readonly identity: string;
  readonly certificates: CertificateOptions;
}

/** What differs between shards. */
export interface ServedShard {
  readonly shard: Shard;
  /** Writes only while this replica serves the shard. */
  readonly writer: ApiClient;
  readonly metrics: ShardMetrics;
}

/** A cache, as health checks see it. */
export type Cache = Pick<Informer<ApiObject>, 'run' | 'hasSynced' | 'resource' | 'silence'>;

/** The caches and controllers of the companion for the clusters of one shard. */
export class HubService {
  readonly caches: readonly Cache[];
  /** The active queues. */
  readonly queues = new Set<WorkQueue>();
  readonly #options: HubServiceOptions;
  readonly #shard: ServedShard;
  readonly #informers: ReturnType<typeof createHubInformers>;
  readonly #tokenInformers: ReturnType<typeof createTokenInformers> | undefined;
  readonly #configs: ConfigCache;
  readonly #following: AbortSignal;

  /** @param following - ends the caches */
  constructor(options: HubServiceOptions, shard: ServedShard, following: AbortSignal) {
    const { settings, client, clock, log } = options;
    this.#options = options;
    this.#shard = shard;
    this.#following = following;
    const caching = { client, clock, log, metrics: shard.metrics.informers, resync: settings.resync };
    const ofShard = { ...caching, shard: shard.shard };
    this.#informers = createHubInformers({ ...ofShard, limits: limitsOf(settings) });
    this.#tokenInformers = settings.tokenRegistration ? createTokenInformers(ofShard) : undefined;
    this.#configs = new ConfigCache({ ...caching, mostSecrets: settings.maxSecretConfigs }, following);
    this.caches = [...Object.values(this.#informers), ...Object.values(this.#tokenInformers ?? {})];
  }

  /** Whether all caches are filled; otherwise those that are not. */
  get filled(): true | string {
    const empty = this.caches.filter(({ hasSynced }) => !hasSynced).map(({ resource }) => resource.plural);
    return empty.length === 0 || `the caches of ${empty.join(', ')} are not filled yet`;
  }

  /** Fills the caches and keeps them up to date until they end. */
  async follow(): Promise<void> {
    await Promise.all(this.caches.map(async (cache) => await cache.run(this.#following)));
    await this.#configs.ended();
    this.#shard.metrics.end();
  }

  /**
   * Runs the controllers once the caches are filled.
   *
   * @param leading - when it is aborted, nothing more is started
   * @param end - when it is aborted, work in flight ends
   */
  async work(leading: AbortSignal, end: AbortSignal): Promise<void> {
    const { settings, client, clock, log, identity, certificates } = this.#options;
    if (!(await allSynced(this.caches, clock, leading))) return;
    this.#warnOfUnmanaged();
    const context: ControllerContext = {
      client: this.#shard.writer,
      informers: this.#informers,
      tokenInformers: this.#tokenInformers,
      configs: this.#configs,
      ownerVersion: await servedAddOnVersion({ client, clock, log }, leading),
      settings,
      events: new EventRecorder({ client: this.#shard.writer, clock, log, component, instance: identity }),
      clock,
      log,
    };
    setMaxListeners(0, end);
    const running = { clock, log, metrics: this.#shard.metrics, queues: this.queues };
    await runControllers(hubControllers(context, certificates), running, leading, end);
  }

  /** Warns of add-ons of `--add-on` that exist and are not managed. */
  #warnOfUnmanaged(): void {
    const { settings, log } = this.#options;
    for (const addOn of settings.addOn) {
      const why = whyUnmanaged(this.#informers.clusterManagementAddOns.store.get(addOn));
      if (why !== undefined) log.warn({ addOn, why }, 'an add-on of --add-on is not managed');
    }
  }
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
