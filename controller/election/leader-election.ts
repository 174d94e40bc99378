import { setMaxListeners } from 'node:events';
import { microTimestamp, type Clock } from '../clock.ts';
import type { ApiClient } from '../kube/api-client.ts';
import { isAlreadyExists, isConflict, sentenceOf } from '../kube/api-error.ts';
import type { Fence } from '../kube/fence.ts';
import type { Stored } from '../kube/object.ts';
import type { Log } from '../operation/log.ts';
import { leases, type Lease } from './lease.ts';

export interface LeaderElectionOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly name: string;
  readonly namespace: string;
  /** Who this replica is; no other has the same. */
  readonly identity: string;
  readonly timing?: LeaderElectionTiming;
  readonly onLeadership?: (leads: boolean) => void;
}

/** In milliseconds; `lease` > `renewDeadline` > `retry`. */
export interface LeaderElectionTiming {
  /** So long others wait after the last sign of life of a leader. */
  readonly lease: number;
  /** So long a leader may fail to renew before it stops. */
  readonly renewDeadline: number;
  /** Between two attempts. */
  readonly retry: number;
}

/** As client-go's defaults. */
export const defaultTiming: LeaderElectionTiming = { lease: 15_000, renewDeadline: 10_000, retry: 2_000 };

/**
 * Leadership over a Lease, as client-go's leader election: of all replicas one leads; when it is silent for the duration of
 * the lease, another does. Only differences of the own clock count, so that clocks need not agree and may step.
 */
export class LeaderElection implements Fence {
  readonly #options: LeaderElectionOptions;
  readonly #timing: LeaderElectionTiming;
  /** The lease as it was last seen, and when that was. */
  #seen: { readonly lease: Stored<Lease>; readonly at: number } | undefined;
  /** When the last renewal that succeeded was begun. */
  #renewedAt = -Infinity;
  #leads = new AbortController();
  /** Since when work goes on though the lease is lost. */
  #lostAt: number | undefined;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#timing = options.timing ?? defaultTiming;
    this.#leads.abort();
  }

  /** Whether this replica leads now, also where nothing had time to notice that it no longer does. */
  holds(): boolean {
    return (
      !this.#leads.signal.aborted &&
      this.#options.clock.elapsed() - this.#renewedAt < this.#timing.renewDeadline
    );
  }

  /** Aborted when this replica no longer leads; another one each time that it leads. */
  get signal(): AbortSignal {
    return this.#leads.signal;
  }

  /** For how many milliseconds work has gone on that had to end when the lease was lost; 0 where there is none. */
  get overdue(): number {
    return this.#lostAt === undefined ? 0 : this.#options.clock.elapsed() - this.#lostAt;
  }

  /**
   * Waits to lead, calls `lead`, and begins anew when the lease is lost, until the signal is aborted. `lead` is to begin
   * nothing more once its own signal is aborted, and returns when nothing is under way: while it brings that to its end the
   * lease is renewed. What is under way when the lease is lost is to end with `signal`. The lease is given back in the end.
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
      log.warn({ identity: this.#options.identity }, 'leads no longer');
      await clock.sleep(this.#timing.retry, signal);
    }
  }

  async #lead(lead: (leading: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { log, onLeadership, identity } = this.#options;
    const [leads, leading] = [new AbortController(), new AbortController()];
    this.#leads = leads;
    // Every write that is under way listens to the one, every queue to the other.
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
      // Only now: what was under way has ended, so the next leader may begin at once.
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

  /** Renews the lease while that is of use; whether that succeeded. */
  async #tryInTime(leading: AbortSignal): Promise<boolean> {
    const { clock } = this.#options;
    const left = this.#renewedAt + this.#timing.renewDeadline - clock.elapsed();
    if (left <= 0) return false;
    const end = new AbortController();
    const stop = (): void => end.abort();
    leading.addEventListener('abort', stop, { once: true });
    const timer = clock.sleep(left, end.signal).then(stop);
    try {
      return await this.#try(end.signal);
    } finally {
      leading.removeEventListener('abort', stop);
      stop();
      await timer;
    }
  }

  /** Takes or renews the lease; whether that succeeded. */
  async #try(signal: AbortSignal): Promise<boolean> {
    const { client, clock, log, name, namespace, identity } = this.#options;
    const begun = clock.elapsed();
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
      this.#renewedAt = begun;
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
    const { holderIdentity = '', leaseDurationSeconds = 0 } = lease.spec;
    if (holderIdentity === '' || holderIdentity === this.#options.identity) return false;
    return this.#options.clock.elapsed() - at < leaseDurationSeconds * 1000;
  }

  #claim(lease: Stored<Lease> | undefined): Lease['spec'] {
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

  /** As client-go: a lease of one second without a holder, so that others need not wait. */
  async #release(): Promise<void> {
    const { client, clock, log, identity } = this.#options;
    const lease = this.#seen?.lease;
    if (lease?.spec.holderIdentity !== identity) return;
    const now = microTimestamp(clock.now());
    const spec = { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: now };
    try {
      this.#saw(await client.update(leases, { ...lease, spec }, { signal: AbortSignal.timeout(5000) }));
    } catch (error) {
      log.info({ identity, error: sentenceOf(error) }, 'the lease was not given back');
    }
  }
}
