import { setMaxListeners } from 'node:events';
import type { Clock } from '../../client/clock.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { isAlreadyExists, isConflict, sentenceOf } from '../../client/api-error.ts';
import type { Fence } from '../../client/fence.ts';
import type { Log } from '../operation/log.ts';
import { ObservedLease } from './observed-lease.ts';

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
  readonly #lease: ObservedLease;
  /** When the last successful renewal was started. */
  #renewedAt = -Infinity;
  #leads = new AbortController();
  /** The time since when work continues although the lease is lost. */
  #lostAt: number | undefined;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#timing = options.timing ?? defaultTiming;
    const { client, clock, name, namespace, identity } = options;
    const duration = this.#timing.lease;
    this.#lease = new ObservedLease({ client, clock, name, namespace, holder: identity, duration });
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
      if (this.#lease.isHeldByOther || !this.holds()) {
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
    const { clock, log, identity } = this.#options;
    const startedAt = clock.elapsed();
    try {
      const lease = await this.#lease.read(signal);
      if (this.#lease.isHeldByOther) return false;
      await this.#lease.claim(lease, signal);
      this.#renewedAt = startedAt;
      return true;
    } catch (error) {
      if (!isConflict(error) && !isAlreadyExists(error) && !signal.aborted)
        log.warn({ identity, error: sentenceOf(error) }, 'the lease cannot be renewed');
      return false;
    }
  }

  async #release(): Promise<void> {
    const { log, identity } = this.#options;
    try {
      await this.#lease.release();
    } catch (error) {
      log.info({ identity, error: sentenceOf(error) }, 'the lease was not released');
    }
  }
}
