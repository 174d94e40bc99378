import { setMaxListeners } from 'node:events';
import { microTimestamp, type Clock } from '../../client/clock.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { isAlreadyExists, isConflict, sentenceOf } from '../../client/api-error.ts';
import type { Fence } from '../../client/fence.ts';
import type { Stored } from '../../client/object.ts';
import type { Log } from '../operation/log.ts';
import { leases, type Lease } from './lease.ts';

export interface LeaderElectionOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly name: string;
  readonly namespace: string;
  /** The unique identity of this replica. */
  readonly identity: string;
  readonly timing?: LeaderElectionTiming;
  readonly onLeadership?: (leads: boolean) => void;
}

/** In milliseconds; `lease` > `renewDeadline` > `retry`. */
export interface LeaderElectionTiming {
  /** How long other replicas wait after the last renewal by a leader. */
  readonly lease: number;
  /** How long a leader may fail to renew before it stops. */
  readonly renewDeadline: number;
  /** Between two attempts. */
  readonly retry: number;
}

/** The defaults of client-go. */
export const defaultTiming: LeaderElectionTiming = { lease: 15_000, renewDeadline: 10_000, retry: 2_000 };

/**
 * Leadership over a Lease, as in client-go's leader election: one of the replicas leads. If it does not renew for the
 * duration of the lease, another one does. Only differences of the local clock count, so that clocks need not agree
 * and may step.
 */
export class LeaderElection implements Fence {
  readonly #options: LeaderElectionOptions;
  readonly #timing: LeaderElectionTiming;
  /** The lease as it was last read, and the time of that. */
  #seen: { readonly lease: Stored<Lease>; readonly at: number } | undefined;
  /** When the last successful renewal was started. */
  #renewedAt = -Infinity;
  #leads = new AbortController();
  /** The time since when work continues although the lease is lost. */
  #lostAt: number | undefined;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#timing = options.timing ?? defaultTiming;
    this.#leads.abort();
  }

  /** Whether this replica leads now, also if it has not yet noticed that it no longer does. */
  holds(): boolean {
    return (
      !this.#leads.signal.aborted &&
      this.#options.clock.elapsed() - this.#renewedAt < this.#timing.renewDeadline
    );
  }

  /** Aborted when this replica no longer leads; a new signal for each leadership. */
  get signal(): AbortSignal {
    return this.#leads.signal;
  }

  /** How many milliseconds work has continued that had to end when the lease was lost; 0 if there is none. */
  get overdue(): number {
    return this.#lostAt === undefined ? 0 : this.#options.clock.elapsed() - this.#lostAt;
  }

  /**
   * Waits for leadership, calls `lead`, and starts again when the lease is lost, until the signal is aborted. Once
   * its own signal is aborted, `lead` must start nothing more, and return when nothing is in flight. The lease is
   * renewed while that work finishes. Work that is in flight when the lease is lost must end with `signal`. The lease
   * is released in the end.
   */
  async run(lead: (leading: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { log, clock } = this.#options;
    while (!signal.aborted) {
      if (!(await this.#try(signal))) {
        await clock.sleep(this.#timing.retry * (1 + clock.random() / 5), signal);
        continue;
      }
      await this.#lead(lead, signal);
      if (signal.aborted) return;
      log.warn({ identity: this.#options.identity }, 'is no longer the leader');
      await clock.sleep(this.#timing.retry, signal);
    }
  }

  async #lead(lead: (leading: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { log, onLeadership, identity } = this.#options;
    const [leads, leading] = [new AbortController(), new AbortController()];
    this.#leads = leads;
    // Every write that is in flight listens to the one, every queue to the other.
    setMaxListeners(0, leads.signal, leading.signal);
    onLeadership?.(true);
    log.info({ identity }, 'leads');
    const end = (): void => leading.abort();
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    leads.signal.addEventListener('abort', end, { once: true });
    const renewing = this.#renew(leads.signal);
    try {
      await lead(leading.signal);
    } finally {
      leads.abort();
      signal.removeEventListener('abort', end);
      this.#lostAt = undefined;
      onLeadership?.(false);
      await renewing;
      // Only now: all work has ended, so the next leader may start immediately.
      await this.#release();
    }
  }

  async #renew(leading: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    while (!leading.aborted) {
      await clock.sleep(this.#timing.retry, leading);
      if (leading.aborted) return;
      if ((await this.#tryInTime(leading)) || leading.aborted) continue;
      if (this.#isHeldByOther() || !this.holds()) {
        log.warn({ identity: this.#options.identity }, 'the lease is lost');
        this.#lostAt = clock.elapsed();
        this.#leads.abort();
      }
    }
  }

  /** Renews the lease while that is possible. Returns whether it succeeded. */
  async #tryInTime(leading: AbortSignal): Promise<boolean> {
    const { clock } = this.#options;
    const remaining = this.#renewedAt + this.#timing.renewDeadline - clock.elapsed();
    if (remaining <= 0) return false;
    const end = new AbortController();
    const stop = (): void => end.abort();
    leading.addEventListener('abort', stop, { once: true });
    const timer = clock.sleep(remaining, end.signal).then(stop);
    try {
      return await this.#try(end.signal);
    } finally {
      leading.removeEventListener('abort', stop);
      stop();
      await timer;
    }
  }

  /** Acquires or renews the lease. Returns whether it succeeded. */
  async #try(signal: AbortSignal): Promise<boolean> {
    const { client, clock, log, name, namespace, identity } = this.#options;
    const startedAt = clock.elapsed();
    try {
      const lease = await client.get(leases, { name, namespace }, signal);
      if (lease === undefined) {
        const spec = this.#claim(undefined);
        const metadata = { name, namespace };
        this.#saw(
          await client.create(
            leases,
            { apiVersion: leases.apiVersion, kind: 'Lease', metadata, spec },
            { signal },
          ),
        );
      } else {
        this.#saw(lease);
        if (this.#isHeldByOther()) return false;
        this.#saw(await client.update(leases, { ...lease, spec: this.#claim(lease) }, { signal }));
      }
      this.#renewedAt = startedAt;
      return true;
    } catch (error) {
      if (!isConflict(error) && !isAlreadyExists(error) && !signal.aborted)
        log.warn({ identity, error: sentenceOf(error) }, 'the lease cannot be renewed');
      return false;
    }
  }

  #saw(lease: Stored<Lease>): void {
    if (this.#seen?.lease.metadata.resourceVersion === lease.metadata.resourceVersion) return;
    this.#seen = { lease, at: this.#options.clock.elapsed() };
  }

  #isHeldByOther(): boolean {
    if (this.#seen === undefined) return false;
    const { lease, at } = this.#seen;
    // Kubernetes accepts a Lease without a spec, and tools clear it: nobody holds it.
    const { holderIdentity = '', leaseDurationSeconds = 0 } = lease.spec ?? {};
    if (holderIdentity === '' || holderIdentity === this.#options.identity) return false;
    return this.#options.clock.elapsed() - at < leaseDurationSeconds * 1000;
  }

  #claim(lease: Stored<Lease> | undefined): NonNullable<Lease['spec']> {
    const { identity, clock } = this.#options;
    const now = microTimestamp(clock.now());
    const { holderIdentity, acquireTime = now, leaseTransitions = 0 } = lease?.spec ?? {};
    const isOurs = holderIdentity === identity;
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(this.#timing.lease / 1000),
      acquireTime: isOurs ? acquireTime : now,
      renewTime: now,
      leaseTransitions: lease === undefined || isOurs ? leaseTransitions : leaseTransitions + 1,
    };
  }

  /** As client-go: a lease of one second without a holder, so that other replicas need not wait. */
  async #release(): Promise<void> {
    const { client, clock, log, identity } = this.#options;
    const lease = this.#seen?.lease;
    if (lease?.spec?.holderIdentity !== identity) return;
    const now = microTimestamp(clock.now());
    const spec = { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: now };
    try {
      this.#saw(await client.update(leases, { ...lease, spec }, { signal: AbortSignal.timeout(5000) }));
    } catch (error) {
      log.info({ identity, error: sentenceOf(error) }, 'the lease was not released');
    }
  }
}
