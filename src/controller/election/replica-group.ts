import { setMaxListeners } from 'node:events';
import type { Clock } from '../../client/clock.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { isAlreadyExists, isConflict, sentenceOf } from '../../client/api-error.ts';
import type { Fence } from '../../client/fence.ts';
import type { Stored } from '../../client/object.ts';
import type { Log } from '../operation/log.ts';
import type { LeaderElectionTiming } from './leader-election.ts';
import type { Lease } from './lease.ts';
import { ObservedLease } from './observed-lease.ts';
import { beatsIn, replicasAnnotation, writtenBeats, type Beat } from './replica-beats.ts';
import type { Claims, Replica } from './shard-claims.ts';

export interface ReplicaGroupOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly log: Log;
  /** The name of the Lease. A replica that does not shard its work leads with the same Lease, so that both never work at a time. */
  readonly name: string;
  readonly namespace: string;
  /** The holder of the Lease: the same for all replicas of the group, and for no others. */
  readonly group: string;
  /** The unique identity of this replica. */
  readonly identity: string;
  readonly timing: LeaderElectionTiming;
}

/** What a replica does while it belongs to the group. */
export interface Membership {
  /** Called before each renewal, with the other replicas. Returns the claims that the renewal announces. */
  readonly claim: ClaimOf;
  /** Ends the work, and returns when nothing is in flight any more. `claim` is called meanwhile. */
  end(): Promise<void>;
}

type ClaimOf = (others: readonly Replica[]) => Claims;

/** The claims of a replica that does not know the others yet. */
const noClaims: Claims = { leads: [], waitsFor: [] };

/**
 * The replicas that share the work of a controller. Together they hold one Lease, and each announces in it which shards it claims. While
 * other replicas hold it, such as those of an earlier configuration with another number of shards, nobody of this group may work.
 */
export class ReplicaGroup implements Fence {
  readonly #options: ReplicaGroupOptions;
  readonly #lease: ObservedLease;
  /** The last beat of each other replica, and when it was first seen. */
  readonly #beats = new Map<string, { readonly beat: Beat; readonly at: number }>();
  #count = 0;
  /** A time after which the Lease was renewed, by this replica or another one of the group. */
  #renewedAt = -Infinity;
  /** The last read of the Lease. */
  #lastRead: { readonly startedAt: number; readonly resourceVersion: string | undefined } | undefined;
  #belongs = new AbortController();
  /** When the Lease was lost, while the work that had to end then still runs. */
  #lostAt: number | undefined;
  #hasRead = false;
  #waitsFor: string | undefined;

  constructor(options: ReplicaGroupOptions) {
    this.#options = options;
    const { client, clock, name, namespace, group, timing } = options;
    this.#lease = new ObservedLease({
      client,
      clock,
      name,
      namespace,
      holder: group,
      duration: timing.lease,
    });
    this.#belongs.abort();
  }

  /** Whether the group holds the Lease, and this replica has joined it. */
  holds(): boolean {
    return (
      !this.#belongs.signal.aborted &&
      this.#options.clock.elapsed() - this.#renewedAt < this.#options.timing.renewDeadline
    );
  }

  /** Aborted when this replica no longer belongs to the group; a new signal each time that it joins. */
  get signal(): AbortSignal {
    return this.#belongs.signal;
  }

  /** How many milliseconds work has continued that had to end when the Lease was lost; 0 where nothing does. */
  get overdue(): number {
    return this.#lostAt === undefined ? 0 : this.#options.clock.elapsed() - this.#lostAt;
  }

  /** Whether the API server has answered about the Lease. */
  get hasRead(): boolean {
    return this.#hasRead;
  }

  /** Joins the group, and joins again whenever the Lease is lost, until the signal is aborted. Leaves the group in the end. */
  async run(join: () => Membership, signal: AbortSignal): Promise<void> {
    const { clock, timing, log, identity } = this.#options;
    while (!signal.aborted) {
      if (!(await this.#renew(() => noClaims, signal))) {
        this.#reportWait();
        await clock.sleep(timing.retry * (1 + clock.random() / 5), signal);
        continue;
      }
      this.#waitsFor = undefined;
      await this.#belong(join, signal);
      if (signal.aborted) return;
      log.warn({ identity }, 'no longer belongs to the replicas that share the work');
      await clock.sleep(timing.retry, signal);
    }
  }

  async #belong(join: () => Membership, signal: AbortSignal): Promise<void> {
    const { log, identity, group } = this.#options;
    const belongs = new AbortController();
    this.#belongs = belongs;
    setMaxListeners(0, belongs.signal);
    log.info({ identity, group }, 'shares the work');
    const membership = join();
    const renewing = this.#renewUntilLost(membership.claim, belongs);
    const over = new Promise<void>((resolve) => {
      for (const each of [signal, belongs.signal]) {
        if (each.aborted) resolve();
        each.addEventListener('abort', () => resolve(), { once: true });
      }
    });
    try {
      await over;
      await membership.end();
    } finally {
      belongs.abort();
      await renewing;
      this.#lostAt = undefined;
      await this.#leave();
    }
  }

  async #renewUntilLost(claim: ClaimOf, belongs: AbortController): Promise<void> {
    const { clock, timing, log, identity } = this.#options;
    const { signal } = belongs;
    while (!signal.aborted) {
      await clock.sleep(timing.retry, signal);
      if (signal.aborted || (await this.#renewInTime(claim, signal)) || signal.aborted) continue;
      if (this.#lease.isHeldByOther || !this.holds()) {
        log.warn({ identity }, 'the lease of the replicas is lost');
        this.#lostAt = clock.elapsed();
        belongs.abort();
      }
    }
  }

  async #renewInTime(claim: ClaimOf, signal: AbortSignal): Promise<boolean> {
    const { clock, timing } = this.#options;
    const remaining = this.#renewedAt + timing.renewDeadline - clock.elapsed();
    if (remaining <= 0) return false;
    const end = new AbortController();
    const stop = (): void => end.abort();
    signal.addEventListener('abort', stop, { once: true });
    const timer = clock.sleep(remaining, end.signal).then(stop);
    try {
      return await this.#renew(claim, end.signal);
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
      await timer;
    }
  }

  /**
   * Reads the other replicas, and renews the Lease with the own claims. All replicas renew the same Lease, and of those that do so at the
   * same time one succeeds: where answers take long the others try again as often as the signal allows. A replica on a busy processor,
   * which fills its caches, may lose for longer than its deadline. It need not begin again: the others renew the Lease for it.
   *
   * @returns whether it succeeded
   */
  async #renew(claim: ClaimOf, signal: AbortSignal): Promise<boolean> {
    const { log, identity, clock, timing } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const startedAt = clock.elapsed();
      try {
        const lease = await this.#lease.read(signal);
        this.#hasRead = true;
        if (this.#lease.isHeldByOther) return false;
        this.#noteChange(lease, startedAt);
        this.#see(beatsIn(lease?.metadata.annotations?.[replicasAnnotation]));
        const claims = claim(Array.from(this.#alive(), ([id, beat]) => ({ id, ...beat })));
        await this.#lease.claim(lease, signal, { [replicasAnnotation]: this.#written(claims) });
        this.#renewedAt = startedAt;
        return true;
      } catch (error) {
        if (signal.aborted) return false;
        if (!isConflict(error) && !isAlreadyExists(error)) {
          log.warn({ identity, error: sentenceOf(error) }, 'the lease of the replicas cannot be renewed');
          return false;
        }
        // Another replica was faster. The more of them there are, the further apart they try again.
        await clock.sleep((timing.retry / 20) * Math.min(attempt, 4) * clock.random(), signal);
      }
    }
  }

  /** A Lease of the group that has changed was renewed after the start of the read before. Other groups wait from then on. */
  #noteChange(lease: Stored<Lease> | undefined, startedAt: number): void {
    const { resourceVersion } = lease?.metadata ?? {};
    const before = this.#lastRead;
    this.#lastRead = { startedAt, resourceVersion };
    if (before === undefined || before.resourceVersion === resourceVersion) return;
    if (lease?.spec?.holderIdentity === this.#options.group)
      this.#renewedAt = Math.max(this.#renewedAt, before.startedAt);
  }

  #see(beats: ReadonlyMap<string, Beat>): void {
    const { clock, identity } = this.#options;
    for (const id of this.#beats.keys()) if (!beats.has(id)) this.#beats.delete(id);
    for (const [id, beat] of beats)
      if (id !== identity && this.#beats.get(id)?.beat.count !== beat.count)
        this.#beats.set(id, { beat, at: clock.elapsed() });
  }

  /** Returns the other replicas that have renewed within the duration of the Lease. */
  #alive(): ReadonlyMap<string, Beat> {
    const { clock, timing } = this.#options;
    const isAlive = ({ at }: { readonly at: number }): boolean => clock.elapsed() - at < timing.lease;
    return new Map([...this.#beats].flatMap(([id, seen]) => (isAlive(seen) ? [[id, seen.beat]] : [])));
  }

  #written(own: Claims | undefined): string {
    const beats = new Map(this.#alive());
    if (own !== undefined) beats.set(this.#options.identity, { ...own, count: (this.#count += 1) });
    return writtenBeats(beats);
  }

  /** Removes the own claims, so that the others need not wait until they expire. */
  async #leave(): Promise<void> {
    const { clock, log, identity } = this.#options;
    const signal = AbortSignal.timeout(5000);
    for (;;) {
      try {
        const lease = await this.#lease.read(signal);
        if (lease === undefined || this.#lease.isHeldByOther) return;
        this.#see(beatsIn(lease.metadata.annotations?.[replicasAnnotation]));
        await this.#lease.claim(lease, signal, { [replicasAnnotation]: this.#written(undefined) });
        return;
      } catch (error) {
        if (isConflict(error) && !signal.aborted) {
          await clock.sleep(100 * clock.random(), signal);
          continue;
        }
        log.info({ identity, error: sentenceOf(error) }, 'the claims of this replica were not removed');
        return;
      }
    }
  }

  #reportWait(): void {
    const { log, identity } = this.#options;
    const holder = this.#lease.isHeldByOther ? this.#lease.holder : undefined;
    if (holder !== undefined && holder !== this.#waitsFor)
      log.info({ identity, holder }, 'waits until the replicas with another number of shards have stopped');
    this.#waitsFor = holder;
  }
}
