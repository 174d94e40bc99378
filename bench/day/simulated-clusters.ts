import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { ApiError, type ApiClient, type WatchEvent } from '../../test/hub/client/api-client.ts';
import { namespaceKind, ocmKinds, reference, type KindOf } from '../../test/hub/client/kinds.ts';
import { reportWork } from '../../test/hub/companion/work-agent.ts';
import type { Random } from '../../test/hub/differential/random.ts';
import { failing, isOn, type DayAddOn, type Tier } from './add-ons.ts';

const leaseKind: KindOf = ['coordination.k8s.io/v1', 'Lease'];

/** A managed cluster of which only the agents' requests to the hub exist. */
interface SimulatedCluster {
  readonly name: string;
  tier: Tier;
  /** Whether its agents reach the hub. */
  isReachable: boolean;
  /** When the agent last renewed the Lease of the cluster, in milliseconds of `performance.now()`. */
  renewed: number;
}

export interface SimulationOptions {
  readonly addOns: readonly DayAddOn[];
  readonly random: Random;
  /** The duration of the Lease of a cluster, in whole seconds. It is renewed after twice as long, and OCM's hub misses it after five times as long. */
  readonly leaseSeconds: number;
  /** The most milliseconds until the work agent of a cluster reports a work. */
  readonly workDelay: number;
}

/**
 * The agents of managed clusters, as far as the hub sees them: they join, renew the Leases of their clusters, and report works. The watches
 * are shared by all clusters, which is the difference from real agents.
 */
export class SimulatedClusters {
  /** Lease renewals and reports of works so far. */
  readonly counts = { renewals: 0, reports: 0 };
  readonly #hub: ApiClient;
  readonly #options: SimulationOptions;
  readonly #clusters = new Map<string, SimulatedCluster>();
  /** The add-ons of each cluster that are Available. */
  readonly #available = new Map<string, Set<string>>();
  /** The add-ons of each cluster. */
  readonly #installed = new Map<string, Set<string>>();
  readonly #generations = new Map<string, number>();
  /** The content that was last reported, by cluster and add-on. */
  readonly #contents = new Map<string, string>();
  /** Works of clusters that do not reach the hub. They are reported when they do again. */
  readonly #unreported = new Map<string, Map<string, KubernetesObject>>();
  /** Clusters whose agents fail to apply what is marked so. */
  #failing = new Set<string>();
  readonly #end = new AbortController();
  readonly #tasks: Promise<void>[] = [];

  constructor(hub: ApiClient, options: SimulationOptions) {
    this.#hub = hub;
    this.#options = options;
  }

  /** The names of all clusters. */
  get names(): readonly string[] {
    return [...this.#clusters.keys()];
  }

  /** Begins to follow the hub and to renew Leases. */
  start(onAddOn: (event: WatchEvent) => void): void {
    this.#tasks.push(
      this.#follow(ocmKinds.manifestWork, (event) => this.#seeWork(event)),
      this.#follow(ocmKinds.managedClusterAddOn, (event) => {
        this.#seeAddOn(event);
        onAddOn(event);
      }),
      this.#renewLeases(),
    );
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#tasks);
  }

  /** Joins as a registration agent that the hub accepts at once. */
  async join(name: string, tier: Tier): Promise<void> {
    const cluster = reference(ocmKinds.managedCluster, name);
    await this.#hub.apply({
      ...cluster,
      metadata: { name, labels: { tier } },
      spec: { hubAcceptsClient: true, leaseDurationSeconds: this.#options.leaseSeconds },
    });
    // The hub makes it when it accepts the cluster.
    while ((await this.#hub.get(...namespaceKind, name)) === undefined) await delay(200);
    const renewTime = new Date().toISOString().replace('Z', '000Z');
    // The hub sees only Leases with this label.
    const labels = { 'open-cluster-management.io/cluster-name': name };
    await this.#hub.apply({
      ...reference(leaseKind, 'managed-cluster-lease', name),
      metadata: { name: 'managed-cluster-lease', namespace: name, labels },
      spec: { leaseDurationSeconds: this.#options.leaseSeconds, renewTime },
    });
    await this.#reportCluster(name, [
      'HubAcceptedManagedCluster',
      'ManagedClusterJoined',
      'ManagedClusterConditionAvailable',
    ]);
    this.adopt(name, tier);
  }

  /** Begins to act for a cluster that the hub has already. */
  adopt(name: string, tier: Tier): void {
    this.#clusters.set(name, { name, tier, isReachable: true, renewed: performance.now() });
  }

  /** Leaves the hub. */
  async leave(name: string): Promise<void> {
    this.#clusters.delete(name);
    this.#unreported.delete(name);
    await this.#hub.delete(reference(ocmKinds.managedCluster, name));
  }

  /** Whether a cluster that has left has no add-ons on the hub any more. */
  isGone(name: string): boolean {
    return (this.#installed.get(name)?.size ?? 0) === 0;
  }

  /** Moves a cluster to the other tier. */
  async move(name: string): Promise<void> {
    const cluster = this.#cluster(name);
    cluster.tier = cluster.tier === 'gold' ? 'silver' : 'gold';
    const patch = { metadata: { labels: { tier: cluster.tier } } };
    await this.#hub.merge(reference(ocmKinds.managedCluster, name), patch);
  }

  /** The agents of clusters no longer reach the hub. */
  lose(names: readonly string[]): void {
    for (const name of names) this.#cluster(name).isReachable = false;
  }

  /** The agents of a cluster reach the hub again, and report what they could not. */
  async recover(name: string): Promise<void> {
    const cluster = this.#cluster(name);
    await this.#renew(name);
    cluster.renewed = performance.now();
    cluster.isReachable = true;
    await this.#reportCluster(name, ['ManagedClusterConditionAvailable']);
    const works = this.#unreported.get(name);
    this.#unreported.delete(name);
    for (const work of works?.values() ?? []) void this.#report(work);
  }

  /** From now on the work agents of these clusters alone fail to apply what is marked so. */
  fail(names: readonly string[]): void {
    this.#failing = new Set(names);
  }

  /** Whether a cluster has exactly the add-ons that it should have. */
  hasAddOns(name: string): boolean {
    const [cluster, installed] = [this.#clusters.get(name), this.#installed.get(name)];
    if (cluster === undefined) return false;
    const expected = this.#options.addOns.filter((addOn) => this.#isExpected(addOn, cluster));
    return installed?.size === expected.length && expected.every((each) => installed.has(each.name));
  }

  /** Whether a cluster has exactly the add-ons that it should have, all Available. */
  isServed(name: string): boolean {
    return this.hasAddOns(name) && this.#available.get(name)?.size === this.#installed.get(name)?.size;
  }

  /** Describes the first cluster that is not served. */
  missing(): string {
    const name = this.names.find((each) => !this.isServed(each));
    if (name === undefined) return 'all clusters are served';
    const [installed, available] = [this.#installed.get(name) ?? [], this.#available.get(name) ?? []];
    return `${name} has ${[...installed].join(', ')}, of which ${[...available].join(', ')} are Available`;
  }

  /** Whether the agent of a cluster has reported a content of an add-on. */
  hasContent(cluster: string, addOn: string, content: string): boolean {
    return !this.#clusters.has(cluster) || this.#contents.get(`${cluster}/${addOn}`) === content;
  }

  #isExpected(addOn: DayAddOn, { tier, isReachable }: SimulatedCluster): boolean {
    return isOn(addOn, tier) && (isReachable || addOn.placement === 'everywhere');
  }

  #cluster(name: string): SimulatedCluster {
    const cluster = this.#clusters.get(name);
    if (cluster === undefined) throw new Error(`there is no cluster ${name}`);
    return cluster;
  }

  /** Follows a kind also while the API server restarts, and when it ends a watch that is slow to read. */
  async #follow(kind: KindOf, onEvent: (event: WatchEvent) => void): Promise<void> {
    const { signal } = this.#end;
    const version = {};
    while (!signal.aborted)
      try {
        await this.#hub.watch(...kind, onEvent, signal, version);
      } catch (error) {
        if (!signal.aborted && !(error instanceof Error)) throw error;
        await delay(500, undefined, { signal }).catch(() => undefined);
      }
  }

  #seeAddOn({ type, object }: WatchEvent): void {
    if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') return;
    const { name = '', namespace = '' } = object.metadata;
    const [installed, available] = [setOf(this.#installed, namespace), setOf(this.#available, namespace)];
    if (type === 'DELETED') {
      installed.delete(name);
      available.delete(name);
      return;
    }
    installed.add(name);
    const { conditions = [] } = (object['status'] ?? {}) as {
      readonly conditions?: readonly AddOnCondition[];
    };
    const isAvailable = conditions.some((each) => each.type === 'Available' && each.status === 'True');
    if (isAvailable) available.add(name);
    else available.delete(name);
  }

  #seeWork({ type, object }: WatchEvent): void {
    const { namespace = '', name = '', uid = '', generation = 0 } = object.metadata;
    const key = `${namespace}/${name}`;
    if (type === 'DELETED') {
      this.#generations.delete(`${key}/${uid}`);
      this.#unreported.get(namespace)?.delete(key);
    }
    if (type !== 'ADDED' && type !== 'MODIFIED') return;
    if ((this.#generations.get(`${key}/${uid}`) ?? 0) >= generation) return;
    this.#generations.set(`${key}/${uid}`, generation);
    // A copy of a work has the report of its model.
    if (isReported(object)) this.#noteContent(object);
    else void this.#report(object);
  }

  async #report(work: KubernetesObject): Promise<void> {
    const { namespace = '', name = '', uid = '', generation } = work.metadata;
    await delay(this.#options.random.between(0, this.#options.workDelay));
    const cluster = this.#clusters.get(namespace);
    const key = `${namespace}/${name}`;
    if (cluster?.isReachable === false) {
      const works = this.#unreported.get(namespace) ?? new Map<string, KubernetesObject>();
      this.#unreported.set(namespace, works.set(key, work));
      return;
    }
    // A later version of it is reported in its place.
    if (this.#generations.get(`${key}/${uid}`) !== generation) return;
    const { content } = contentOf(work);
    const fails = this.#failing.has(namespace) && content.includes(failing);
    const status = fails ? 'False' : 'True';
    await this.#answered(async () => {
      await reportWork(this.#hub, work, { Applied: status, Available: status }, fails ? 0 : 1);
      this.counts.reports += 1;
      this.#noteContent(work);
    });
  }

  #noteContent(work: KubernetesObject): void {
    const { addOn, content } = contentOf(work);
    this.#contents.set(`${work.metadata.namespace}/${addOn}`, content);
  }

  async #renewLeases(): Promise<void> {
    const period = this.#options.leaseSeconds * 2000;
    while (!this.#end.signal.aborted) {
      const due = [...this.#clusters.values()].filter(
        ({ isReachable, renewed }) => isReachable && performance.now() - renewed >= period,
      );
      for (const cluster of due) {
        cluster.renewed = performance.now();
        void this.#answered(async () => {
          await this.#renew(cluster.name);
          this.counts.renewals += 1;
        });
        // Spread, as the starts of real agents are.
        await delay(Math.min(20, period / Math.max(1, this.#clusters.size)));
      }
      await delay(100);
    }
  }

  async #renew(cluster: string): Promise<void> {
    const renewTime = new Date().toISOString().replace('Z', '000Z');
    const lease = reference(leaseKind, 'managed-cluster-lease', cluster);
    await this.#hub.merge(lease, { spec: { renewTime } });
  }

  async #reportCluster(name: string, types: readonly string[]): Promise<void> {
    const cluster = reference(ocmKinds.managedCluster, name);
    const present = await this.#hub.get(...ocmKinds.managedCluster, name);
    const { conditions = [] } = (present?.['status'] ?? {}) as {
      readonly conditions?: readonly AddOnCondition[];
    };
    const reported = types.map((type) => ({
      type,
      status: 'True',
      reason: 'Reported',
      message: 'as reported',
      lastTransitionTime: new Date().toISOString(),
    }));
    const others = conditions.filter(({ type }) => !types.includes(type));
    await this.#hub.merge(cluster, { status: { conditions: [...others, ...reported] } }, 'status');
  }

  /** Sends again while the API server is away. What is gone need not be reported. */
  async #answered(send: () => Promise<void>): Promise<void> {
    while (!this.#end.signal.aborted)
      try {
        await send();
        return;
      } catch (error) {
        if (error instanceof ApiError && [403, 404].includes(error.refusal.code)) return;
        await delay(1000);
      }
  }
}

interface AddOnCondition {
  readonly type: string;
  readonly status: string;
  readonly observedGeneration?: number;
}

/** The add-on of a work and its version, by the image of its Deployment. */
function contentOf(work: KubernetesObject): { readonly addOn: string; readonly content: string } {
  const [, addOn = '', content = ''] =
    /"image":"[^"]+\/(.+?):([^"]+)"/.exec(JSON.stringify(work['spec'])) ?? [];
  return { addOn, content };
}

/** Whether the status of a work is of its present generation. */
function isReported({ metadata, status }: KubernetesObject): boolean {
  const { conditions = [] } = (status ?? {}) as { readonly conditions?: readonly AddOnCondition[] };
  return conditions.some(
    ({ type, observedGeneration }) => type === 'Applied' && observedGeneration === metadata.generation,
  );
}

function setOf(sets: Map<string, Set<string>>, key: string): Set<string> {
  let present = sets.get(key);
  if (present === undefined) sets.set(key, (present = new Set()));
  return present;
}
