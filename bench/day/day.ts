import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type Hub } from '../../test/hub/client/hub.ts';
import { companionNamespace, confinedKubeconfig } from '../../test/hub/companion/confined-companion.ts';
import { createAuthority } from '../../test/hub/companion/fleet.ts';
import { ocmKinds } from '../../test/hub/client/kinds.ts';
import { Random } from '../../test/hub/differential/random.ts';
import { startHub, type RunningHub } from '../../test/hub/process/start-hub.ts';
import { atATime } from '../at-a-time.ts';
import { AddOnManager } from './add-on-manager.ts';
import {
  apps,
  appText,
  dayAddOns,
  failing,
  ownSigner,
  tiers,
  type DayAddOn,
  type RolloutSettings,
  type Tier,
} from './add-ons.ts';
import { AgentCertificates } from './agent-certificates.ts';
import { auditedWrites } from './audited-writes.ts';
import { CompanionReplicas } from './companion-replicas.ts';
import type { DayOptions, DayRecord, HourStatus, Reaction, Sample } from './day-record.ts';
import { FleetRepository } from './fleet-repository.ts';
import { hubCounts } from './hub-counts.ts';
import { MeasuredProcess, type ProcessUse } from './measured-process.ts';
import { hours, isExplained, schedule, type DayEvent } from './schedule.ts';
import { SimulatedClusters } from './simulated-clusters.ts';

/** The hub has most of the 16 GB that the day may use. */
const memoryLimit = '12GiB';

/** Clusters that are copied before the watches of their objects are awaited. */
const copiesAtATime = 100;

/** The longest time until a certificate is issued, and until an event has had its effects, in milliseconds. */
const patience = 600_000;

/**
 * Plays days of 24 hours of a fleet on a real hub, one after the other, and returns what it measured after each. The hours are shorter,
 * and the agents of the managed clusters are simulated.
 *
 * @param onLine - called with what happens
 */
export async function* playDays(
  options: DayOptions,
  days: number,
  onLine: (line: string) => void,
): AsyncGenerator<DayRecord> {
  const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-day-'));
  const auditLog = path.join(folder, 'audit.log');
  const running = await startHub({ auditLog, memoryLimit });
  try {
    const fleet = await Fleet.prepare(running, options, onLine);
    try {
      const setUp = await fleet.install();
      for (let day = 0; day < days; day += 1) {
        const { began, record } = await fleet.play();
        const companion = `system:serviceaccount:${companionNamespace}:companion`;
        const { counts, unexplained } = await auditedWrites(auditLog, companion, began);
        yield { ...record, setUp, writes: counts, faults: [...record.faults, ...unexplained] };
      }
    } finally {
      await fleet.close();
    }
  } finally {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What an event leads to. */
interface Effect {
  /** The clusters that have to change. */
  readonly clusters: readonly string[];
  readonly isOver: (cluster: string) => boolean;
}

/** A fleet on a hub that runs. */
class Fleet {
  readonly #running: RunningHub;
  readonly #options: DayOptions;
  readonly #onLine: (line: string) => void;
  readonly #random: Random;
  readonly #hub: Hub;
  readonly #addOns: readonly DayAddOn[];
  readonly #clusters: SimulatedClusters;
  readonly #certificates: AgentCertificates;
  readonly #repository: FleetRepository;
  readonly #replicas: CompanionReplicas;
  readonly #addOnManager: AddOnManager;
  readonly #processes: readonly MeasuredProcess[];

  // Of the day that is played:
  #days = 0;
  #samples: Sample[] = [];
  #reactions: Reaction[] = [];
  #statuses: HourStatus[] = [];
  #faults: string[] = [];
  /** Waits for the effects of events. */
  #effects: Promise<void>[] = [];
  #end = new AbortController();

  /** The version of each add-on's content, if it is not the first one. */
  readonly #contents = new Map<string, string>();
  #joined = 0;
  #lost: readonly string[] = [];

  private constructor(
    running: RunningHub,
    options: DayOptions,
    onLine: (line: string) => void,
    kubeconfig: string,
  ) {
    this.#running = running;
    this.#options = options;
    this.#onLine = onLine;
    this.#random = new Random(options.seed);
    this.#hub = connect(running);
    const { client } = this.#hub;
    this.#addOns = dayAddOns(options.addOns);
    this.#clusters = new SimulatedClusters(client, {
      addOns: this.#addOns,
      random: this.#random,
      leaseSeconds: Math.max(4, Math.round(options.hourSeconds / 2.5)),
      // A minute of the day.
      workDelay: Math.max(300, (options.hourSeconds / 60) * 1000),
    });
    this.#certificates = new AgentCertificates(client, this.#random);
    this.#repository = new FleetRepository(client, running.kubeconfig);
    this.#replicas = new CompanionReplicas(kubeconfig, companionNamespace, 2);
    this.#addOnManager = new AddOnManager(running.kubeconfig);
    this.#processes = [
      ...this.#replicas.all.map((replica) => new MeasuredProcess(replica.name, () => replica.pid)),
      new MeasuredProcess('add-on manager', () => this.#addOnManager.pid),
      new MeasuredProcess('hub', () => running.process.pid),
    ];
  }

  /** Starts the companion, and OCM's add-on manager as a separate process, so that it can be measured. */
  static async prepare(
    running: RunningHub,
    options: DayOptions,
    onLine: (line: string) => void,
  ): Promise<Fleet> {
    const hub = connect(running);
    await createAuthority(hub.client, ownSigner.signingCA.name);
    const kubeconfig = await confinedKubeconfig(hub.client, running.kubeconfig, 'companion', {
      grants: [{ kind: 'ClusterRole', name: 'view' }],
      signers: [ownSigner],
    });
    hub.close();
    await running.cause('stop-add-on-manager');
    const fleet = new Fleet(running, options, onLine, kubeconfig);
    await fleet.#replicas.untilReady();
    return fleet;
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#certificates.stop();
    await this.#clusters.stop();
    await this.#replicas.stop();
    await this.#addOnManager.stop();
    this.#repository.remove();
    this.#hub.close();
  }

  /** Plays a day, and returns when it began in milliseconds since the epoch. */
  async play(): Promise<{ readonly began: number; readonly record: Omit<DayRecord, 'writes' | 'setUp'> }> {
    this.#days += 1;
    [this.#samples, this.#reactions, this.#statuses, this.#faults, this.#effects] = [[], [], [], [], []];
    this.#end = new AbortController();
    const before = await this.#soFar();
    const hourMilliseconds = this.#options.hourSeconds * 1000;
    this.#certificates.rotateWithin(hours * hourMilliseconds, this.#options.renewed);
    const [began, start] = [Date.now(), performance.now()];
    const sampling = this.#sampleAllDay(start);
    const hourStarts: number[] = [];
    // How long `status` took in the hour before, in milliseconds: it is a part of the hour.
    let reading = 0;
    for (let hour = 0; hour < hours; hour += 1) {
      hourStarts.push((performance.now() - start) / 1000);
      const end = performance.now() + hourMilliseconds;
      const event = schedule[hour];
      if (event !== undefined) await this.#cause(event, hour);
      const isLast = hour === hours - 1;
      await this.#runJobs(isLast ? end + patience : end - reading);
      await delay(Math.max(0, end - reading - performance.now()));
      if (isLast) await this.#untilStill();
      const beginning = performance.now();
      await this.#readStatus(hour);
      reading = performance.now() - beginning;
      await delay(Math.max(0, end - performance.now()));
    }
    const seconds = (performance.now() - start) / 1000;
    this.#end.abort();
    await sampling;
    const after = await this.#soFar();
    return {
      began,
      record: {
        options: this.#options,
        versions: this.#hub.versions,
        seconds,
        hourStarts,
        samples: this.#samples,
        reactions: this.#reactions,
        statuses: this.#statuses,
        runs: this.#repository.runs.slice(before.runs),
        certificates: this.#certificates.issued
          .slice(before.certificates)
          .map(({ sent, ...certificate }) => ({ ...certificate, at: (sent - start) / 1000 })),
        companionRequests: differences(after.requests, before.requests),
        agents: {
          renewals: after.renewals - before.renewals,
          reports: after.reports - before.reports,
        },
        addOnManagerCrashes: after.crashes - before.crashes,
        faults: [
          ...this.#faults,
          ...this.#certificates.faults.slice(before.certificateFaults),
          ...this.#replicas.faults.slice(before.replicaFaults),
        ],
      },
    };
  }

  /** What has been counted until now. */
  async #soFar() {
    return {
      requests: await this.#replicas.requests(),
      ...this.#clusters.counts,
      runs: this.#repository.runs.length,
      certificates: this.#certificates.issued.length,
      certificateFaults: this.#certificates.faults.length,
      replicaFaults: this.#replicas.faults.length,
      crashes: this.#addOnManager.crashes,
    };
  }

  /** Waits until all events have had their effects, and all requests their certificates. None is sent after that. */
  async #untilStill(): Promise<void> {
    await Promise.all(this.#effects);
    this.#certificates.endRotation();
    for (const waiting = performance.now(); this.#certificates.waiting > 0; await delay(100))
      if (performance.now() - waiting > patience) break;
    this.#certificates.noteMissed();
    // The agents report their last certificates.
    await delay(2000);
  }

  /**
   * Joins the fleet, and installs all add-ons. All controllers and agents do it for one cluster of each tier. What the hub has then is
   * written into etcd for all others, because on two cores the controllers need an hour for 3,500 clusters.
   */
  async install(): Promise<DayRecord['setUp']> {
    const start = performance.now();
    this.#certificates.start(this.#options.hourSeconds * 1000);
    this.#clusters.start((event) => this.#certificates.seeAddOn(event));
    const models = new Map<Tier, string>();
    for (const tier of tiers) models.set(tier, await this.#joinOne(tier));
    this.#write('install', undefined);
    await this.#install('install');
    await this.#untilServed();
    this.#onLine(`a cluster of each tier is served after ${inSeconds(performance.now() - start)}`);
    await this.#running.cause('stop-ocm-controllers');
    await this.#addOnManager.stop();
    // It would remove the compiled add-ons of clusters that Git does not name yet.
    await this.#replicas.stop();
    const others = Array.from({ length: this.#options.clusters - models.size }, () => this.#nextName());
    const tierOf = new Map(others.map((name) => [name, this.#randomTier()]));
    for (const [tier, model] of models) {
      const names = others.filter((name) => tierOf.get(name) === tier);
      await this.#copy(model, names, tier);
    }
    const joined = performance.now();
    this.#onLine(`${this.#options.clusters} clusters have joined after ${inSeconds(joined - start)}`);
    const writes = await this.#install('fleet');
    this.#onLine(`${writes} objects are applied after ${inSeconds(performance.now() - joined)}`);
    await this.#replicas.start();
    await this.#running.cause('start-ocm-controllers');
    await this.#untilDecided();
    await this.#addOnManager.restart();
    await this.#untilServed();
    const served = performance.now();
    // From now on, content is rolled out in waves, and a promotion releases compiled content.
    this.#write('roll out', this.#rollout);
    this.#repository.commit('promote', { 'promotions/compiled.yaml': promotion });
    await this.#install('roll out');
    await this.#repository.promote();
    this.#onLine(`all add-ons are Available after ${inSeconds(served - joined)}`);
    return { joined: (joined - start) / 1000, served: (served - joined) / 1000 };
  }

  /** Writes what the hub has of a cluster for others, a part of them at a time, so that watches can follow. */
  async #copy(model: string, names: readonly string[], tier: Tier): Promise<void> {
    for (let start = 0; start < names.length; start += copiesAtATime) {
      const some = names.slice(start, start + copiesAtATime);
      for (const name of some) this.#clusters.adopt(name, tier);
      await this.#running.cause(`copy-cluster ${model} ${some.join(',')}`);
      this.#repository.copyApplied(model, some);
      while (!some.every((name) => this.#clusters.hasAddOns(name))) await delay(100);
    }
  }

  /** Compiles for the fleet of the hub, and applies the output. */
  async #install(message: string): Promise<number> {
    await this.#repository.pullAndSynth(message);
    return await this.#repository.apply();
  }

  /** Waits until Placements select all clusters. The add-on manager would uninstall what they do not select. */
  async #untilDecided(): Promise<void> {
    const { names } = this.#clusters;
    for (;;) {
      const decisions = await this.#hub.client.list(...ocmKinds.placementDecision);
      const selected = decisions.flatMap(({ metadata: { labels }, ...rest }) => {
        const { decisions: of = [] } =
          (rest as { readonly status?: { readonly decisions?: readonly unknown[] } }).status ?? {};
        return labels?.['cluster.open-cluster-management.io/placement'] === 'everywhere' ? of : [];
      });
      if (selected.length === names.length * apps.length) return;
      await delay(500);
    }
  }

  /** Waits until all clusters have their add-ons and all add-ons their certificates. */
  async #untilServed(): Promise<void> {
    const { names } = this.#clusters;
    for (let waits = 1; ; waits += 1) {
      const served = names.filter((name) => this.#clusters.isServed(name)).length;
      const { waiting } = this.#certificates;
      if (served === names.length && waiting === 0) return;
      if (waits % 60 === 0)
        this.#onLine(`${served} of ${names.length} clusters are served, ${waiting} certificates are missing`);
      if (waits > 3600) throw new Error(this.#clusters.missing());
      await delay(500);
    }
  }

  /** How content is rolled out in the day. */
  get #rollout(): RolloutSettings {
    return {
      maxConcurrency: '25%',
      maxFailures: '1%',
      progressDeadline: `${Math.max(60, Math.round(this.#options.hourSeconds))}s`,
    };
  }

  #write(message: string, rollout: RolloutSettings | undefined): void {
    const contentOf = (addOn: string): string => this.#contents.get(addOn) ?? 'v1';
    const texts = apps.map((app) => [`apps/${app}/app.yaml`, appText(app, this.#addOns, contentOf, rollout)]);
    this.#repository.commit(message, {
      ...Object.fromEntries(texts),
      'fleetwright.yaml': settings,
    });
  }

  async #join(count: number): Promise<readonly string[]> {
    const names: string[] = [];
    await atATime(Array.from({ length: count }), 16, async () => {
      names.push(await this.#joinOne(this.#randomTier()));
    });
    return names;
  }

  async #joinOne(tier: Tier): Promise<string> {
    const name = this.#nextName();
    await this.#clusters.join(name, tier);
    return name;
  }

  #nextName(): string {
    return `c${String(this.#joined++).padStart(5, '0')}`;
  }

  #randomTier(): Tier {
    return this.#random.chance(0.95) ? 'gold' : 'silver';
  }

  /** Causes an event, and begins to wait for its effects. */
  async #cause(event: DayEvent, hour: number): Promise<void> {
    const start = performance.now();
    const { clusters, isOver } = await this.#effectOf(event);
    this.#onLine(`${String(hour).padStart(2, '0')}:00 ${event.event}: ${clusters.length} clusters`);
    if (clusters.length === 0) return;
    const wait = async (): Promise<void> => {
      let left = clusters;
      while (left.length > 0 && performance.now() - start < patience && !this.#end.signal.aborted) {
        await delay(100);
        left = left.filter((cluster) => !isOver(cluster));
      }
      const seconds = (performance.now() - start) / 1000;
      if (left.length === 0)
        this.#reactions.push({ hour, event: event.event, clusters: clusters.length, seconds });
      else this.#faults.push(`${event.event}: no effect on ${left.slice(0, 5).join(', ')} and others`);
    };
    this.#effects.push(wait());
  }

  async #effectOf(event: DayEvent): Promise<Effect> {
    if ('addOn' in event) return this.#newContent(event);
    if ('share' in event) return await this.#changeClusters(event);
    if (event.event !== 'clusters return') return await this.#interrupt(event.event);
    await atATime(this.#lost, 16, async (cluster) => await this.#clusters.recover(cluster));
    return { clusters: this.#lost, isOver: (cluster) => this.#clusters.isServed(cluster) };
  }

  /** Lets clusters join, leave, move or lose their connection. */
  async #changeClusters({ event, share }: Extract<DayEvent, { share: number }>): Promise<Effect> {
    const { names } = this.#clusters;
    const count = Math.max(1, Math.round(names.length * share));
    const isServed = (cluster: string): boolean => this.#clusters.isServed(cluster);
    if (event === 'clusters join') return { clusters: await this.#join(count), isOver: isServed };
    const clusters = this.#random.sample(names, count);
    if (event === 'clusters leave') {
      await atATime(clusters, 16, async (cluster) => await this.#clusters.leave(cluster));
      return { clusters, isOver: (cluster) => this.#clusters.isGone(cluster) };
    }
    if (event === 'labels move') {
      await atATime(clusters, 16, async (cluster) => await this.#clusters.move(cluster));
      return { clusters, isOver: isServed };
    }
    this.#lost = clusters;
    this.#clusters.lose(clusters);
    return { clusters, isOver: (cluster) => this.#clusters.hasAddOns(cluster) };
  }

  /** Commits new content of an add-on. */
  #newContent({ event, addOn }: Extract<DayEvent, { addOn: string }>): Effect {
    const fails = event === 'a rollout that fails';
    const content = `${event.replaceAll(' ', '-')}-${this.#days}-${fails ? failing : 'works'}`;
    this.#contents.set(addOn, content);
    this.#write(`${event} of ${addOn}`, this.#rollout);
    const { names } = this.#clusters;
    if (fails) this.#clusters.fail(this.#random.sample(names, Math.ceil(names.length / 10)));
    return {
      // One that fails is stopped by the hub.
      clusters: fails ? [] : names,
      isOver: (cluster) => this.#clusters.hasContent(cluster, addOn, content),
    };
  }

  /** Interrupts a controller or the API server. It is over when a certificate has been issued with the companion. */
  async #interrupt(event: DayEvent['event']): Promise<Effect> {
    const before = this.#certificates.countOf('compiled');
    if (event === 'the leader is killed') await this.#replicas.killLeader();
    if (event === 'the companion is upgraded') await this.#replicas.upgrade();
    if (event === 'the controllers of OCM restart') {
      await this.#running.cause('restart-ocm-controllers');
      // The hub's own starts with them.
      await this.#running.cause('stop-add-on-manager');
      await this.#addOnManager.restart();
    }
    if (event === 'the API server restarts') {
      await this.#running.cause('kill-api-server');
      await delay(Math.min(30_000, this.#options.hourSeconds * 50));
      await this.#running.cause('start-api-server');
    }
    return { clusters: ['any'], isOver: () => this.#certificates.countOf('compiled') > before };
  }

  /**
   * Runs the jobs of an hour, as schedules and engines do: pulls the fleet, compiles, applies, and promotes until all waves are released.
   *
   * @param end - when no more waves are released, in milliseconds of `performance.now()`
   */
  async #runJobs(end: number): Promise<void> {
    await this.#repository.pullAndSynth('fleet of the hour');
    await this.#repository.apply();
    for (let isReleased = false; !isReleased && performance.now() < end;) {
      const out = await this.#repository.promote();
      isReleased = out.includes('all clusters have the content of Git');
      await this.#repository.apply();
    }
  }

  async #readStatus(hour: number): Promise<void> {
    const { addOns } = await this.#repository.status();
    const causes: Record<string, number> = {};
    for (const { addOn, classes } of addOns)
      for (const { cause, clusters } of classes) {
        causes[cause.code] = (causes[cause.code] ?? 0) + clusters.length;
        if (!isExplained(cause.code, hour, this.#options.hourSeconds))
          this.#faults.push(
            `${hour}:59 ${addOn} on ${clusters.length} clusters, ${clusters[0]} first: ${cause.code}: ${cause.message}`,
          );
      }
    this.#statuses.push({ hour, causes });
    const text = Object.entries(causes).map(([cause, count]) => `${cause} ${count}`);
    this.#onLine(`${String(hour).padStart(2, '0')}:59 ${text.join(', ') || 'as predicted'}`);
  }

  async #sampleAllDay(start: number): Promise<void> {
    const { signal } = this.#end;
    const hourMilliseconds = this.#options.hourSeconds * 1000;
    while (!signal.aborted) {
      // The API server is away in one hour.
      const hub = await hubCounts(this.#hub.client).catch(() => undefined);
      const processes: Record<string, ProcessUse> = {};
      for (const each of this.#processes) {
        const use = each.read();
        if (use !== undefined) processes[each.name] = use;
      }
      if (hub !== undefined) this.#samples.push({ at: (performance.now() - start) / 1000, processes, hub });
      await delay(hourMilliseconds / 4, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** What has been counted more often. */
function differences(
  after: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>,
): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([key, count]) => [key, count - (before[key] ?? 0)]));
}

/** Hub delivery follows at once. Compiled content is released wave by wave. */
const promotion = `apiVersion: fleetwright.dev/v1alpha1
kind: Promotion
metadata: { name: compiled }
spec: {}
`;
const settings = 'fleet: fleet.json\nhubVersion: "1.2"\n';

function inSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(0)} s`;
}
