import { EqualValues } from '../../../../src/controller/cache/equal-values.ts';
import { systemClock } from '../../../../src/client/clock.ts';
import type { ApiClient } from '../../../../src/client/api-client.ts';
import type { ApiObject, Stored } from '../../../../src/client/object.ts';
import type { Resource } from '../../../../src/client/resource.ts';
import type { Store } from '../../../../src/controller/cache/store.ts';
import { readSettings } from '../../../../src/controller/configuration/settings.ts';
import { EventRecorder, events } from '../../../../src/controller/events/event-recorder.ts';
import { managedClusterAddOns } from '../../../../src/controller/add-on/managed-cluster-add-ons.ts';
import { defaultLimits } from '../../../../src/controller/hub/approval/facts.ts';
import { cachedAddOn, cachedCluster } from '../../../../src/controller/hub/cached-objects.ts';
import type { ControllerContext } from '../../../../src/controller/hub/controller-context.ts';
import { cachedWork } from '../../../../src/controller/hub/health/workloads.ts';
import { cachedHookWork, isHookWork } from '../../../../src/controller/hub/hooks/cached-hook-work.ts';
import { hookController } from '../../../../src/controller/hub/hooks/hook-controller.ts';
import { createHubInformers } from '../../../../src/controller/hub/hub-informers.ts';
import { hubSettings } from '../../../../src/controller/hub/hub-settings.ts';
import { managedClusters, manifestWorks } from '../../../../src/controller/hub/resources.ts';
import { Metrics } from '../../../../src/controller/operation/metrics.ts';
import type { ManagedClusterAddOnV1alpha1, ManifestWorkV1 } from '../../../../schemas/types.gen.ts';
import { FakeApiServer } from '../../api-server.ts';
import { RecordingLog } from '../../recording-log.ts';

const deleted = '2026-01-31T12:00:00Z';

/** A hub on which the controller of hooks runs step by step, for one add-on on one cluster. */
export class HookHub {
  /** Milliseconds since the epoch; at first the time of deletions. */
  now = Date.parse(deleted);
  readonly client: ApiClient;
  readonly #server: FakeApiServer;
  readonly #name: { readonly name: string; readonly namespace: string };

  private constructor(server: FakeApiServer, addOn: string, cluster: string) {
    this.#server = server;
    this.client = server.client();
    this.#name = { name: addOn, namespace: cluster };
  }

  static async start(addOn: string, cluster: string): Promise<HookHub> {
    return new HookHub(await FakeApiServer.start(), addOn, cluster);
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }

  /** Undefined once it is gone. */
  async addOn(): Promise<Stored<ManagedClusterAddOnV1alpha1> | undefined> {
    return await this.client.get(managedClusterAddOns, this.#name);
  }

  async works(): Promise<readonly Stored<ManifestWorkV1>[]> {
    return await this.client.list(manifestWorks);
  }

  /** `namespace/name`, sorted. */
  async workNames(): Promise<readonly string[]> {
    return (await this.works()).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).sort();
  }

  /** `reason: message` */
  async events(): Promise<readonly string[]> {
    return (await this.client.list(events)).map(({ reason, message }) => `${reason}: ${message}`);
  }

  /** Deletes the add-on: its finalizers keep it. */
  async deleteAddOn(): Promise<void> {
    await this.client.merge(managedClusterAddOns, this.#name, {
      metadata: { deletionTimestamp: deleted },
    });
    await this.#collect();
  }

  /** Reports the hooks of a work, as the work agent of its cluster does. @param value - `JobFailed` fails them */
  async report(namespace: string, name: string, value?: 'JobFailed'): Promise<void> {
    const work = await this.client.get(manifestWorks, { namespace, name });
    if (work === undefined) throw new Error(`there is no work ${namespace}/${name}`);
    const manifests = (work.spec?.manifestConfigs ?? []).map(({ resourceIdentifier }, ordinal) => {
      const [reported, string] =
        value === undefined && resourceIdentifier.resource === 'pods'
          ? ['PodPhase', 'Succeeded']
          : [value ?? 'JobComplete', 'True'];
      return {
        conditions: [],
        resourceMeta: { ordinal, ...resourceIdentifier },
        statusFeedback: { values: [{ name: reported, fieldValue: { type: 'String', string } }] },
      };
    });
    const available = { type: 'Available', status: 'True', reason: 'Reported', message: '' };
    const conditions = [{ ...available, lastTransitionTime: deleted }];
    const status = { conditions, resourceStatus: { manifests } };
    await this.client.merge(manifestWorks, work.metadata, { status }, { subresource: 'status' });
  }

  /** Reconciles with a new companion, until nothing changes any more. */
  async settle(settings: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const context = this.#context(settings);
    const controller = hookController(context);
    const key = `${this.#name.namespace}/${this.#name.name}`;
    const { signal } = new AbortController();
    for (let step = 0; step < 20; step++) {
      await this.#follow(context);
      const before = this.#writes;
      await controller.reconcile(key, { signal } as never);
      await this.#collect();
      if (this.#writes === before) return;
    }
    throw new Error('it does not come to rest');
  }

  get #writes(): number {
    return this.#server.requests.filter((request) => !/^(GET|WATCH) |\/events/.test(request)).length;
  }

  #context(settings: Readonly<Record<string, unknown>>): ControllerContext {
    const { client } = this;
    const clock = { ...systemClock, now: () => this.now };
    const [metrics, log] = [new Metrics(false), new RecordingLog()];
    const { value } = readSettings(hubSettings, {}, {});
    const caching = { client, clock, log, metrics: metrics.ofShard().informers, resync: value.resync };
    return {
      client,
      informers: createHubInformers({ ...caching, limits: defaultLimits }),
      settings: { ...value, preDeleteHooks: true, ...settings },
      events: new EventRecorder({ client, clock, log, component: 'test', instance: 'test' }),
      ownerVersion: 'addon.open-cluster-management.io/v1alpha1',
      clock,
      log,
      metrics,
    } as unknown as ControllerContext;
  }

  /** Fills the caches with what the API server has. */
  async #follow({ informers }: ControllerContext): Promise<void> {
    const fill = async <T extends ApiObject>(
      resource: Resource<T>,
      store: Store<T, never>,
      cached: (object: Stored<T>) => Stored<T>,
    ): Promise<void> => {
      for (const key of store.keys()) store.delete(key);
      for (const object of await this.client.list(resource)) store.set(cached(object));
    };
    const equal = new EqualValues();
    await fill(managedClusterAddOns, informers.managedClusterAddOns.store, (addOn) =>
      cachedAddOn(addOn, equal),
    );
    await fill(managedClusters, informers.managedClusters.store, (cluster) => cachedCluster(cluster, equal));
    await fill(manifestWorks, informers.manifestWorks.store, (work) =>
      isHookWork(work) ? cachedHookWork(work) : cachedWork(work, equal),
    );
  }

  /** As the API server and the garbage collector: without finalizers a deleted add-on is gone, and so is what it owns. */
  async #collect(): Promise<void> {
    const addOn = await this.addOn();
    const { deletionTimestamp, finalizers = [], uid } = addOn?.metadata ?? {};
    if (deletionTimestamp === undefined || finalizers.length > 0) return;
    await this.client.delete(managedClusterAddOns, this.#name);
    for (const { metadata } of await this.works())
      if (metadata.ownerReferences?.some((owner) => owner.uid === uid) === true)
        await this.client.delete(manifestWorks, metadata);
  }
}
