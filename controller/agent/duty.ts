import type { Clock } from '../../kubernetes/client/clock.ts';
import { isRetryable, sentenceOf } from '../../kubernetes/client/api-error.ts';
import type { Log } from '../operation/log.ts';
import { Backoff } from '../../kubernetes/client/backoff.ts';

/** A task that the agent repeats. */
export interface Duty {
  readonly name: string;
  /** Runs it once. @returns the number of milliseconds until the next run */
  readonly step: (signal: AbortSignal) => Promise<number>;
}

export interface DutyContext {
  readonly clock: Clock;
  readonly log: Log;
}

/** Failures are retried within the time of a heartbeat, at growing intervals. */
const waits = { first: 1_000, longest: 30_000 };

/** How long to wait after an error that only a user can fix, in milliseconds. */
const afterRefusal = 300_000;

/** The longest time that a running duty can take, in milliseconds: each of its requests times out before. */
const longestStep = 15 * 60_000;

/** A duty that continues after any error, until the signal is aborted. */
export class RunningDuty {
  readonly #duty: Duty;
  readonly #context: DutyContext;
  #state: true | string;
  /** The start of the current run. */
  #begunAt: number | undefined;

  constructor(duty: Duty, { clock, log }: DutyContext) {
    this.#duty = duty;
    this.#context = { clock, log: log.child({ duty: duty.name }) };
    this.#state = `${duty.name} has not begun`;
  }

  /** Whether the last run succeeded; otherwise a sentence with the reason. */
  get state(): true | string {
    return this.#state;
  }

  /** Whether the duty is still running, with or without success; otherwise a sentence with the reason. */
  get goesOn(): true | string {
    if (this.#begunAt === undefined) return true;
    const taken = this.#context.clock.elapsed() - this.#begunAt;
    return taken <= longestStep || `${this.#duty.name} has taken ${Math.floor(taken / 60_000)} min`;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#context;
    const failures = new Backoff(clock, waits);
    while (!signal.aborted) {
      let wait: number;
      this.#begunAt = clock.elapsed();
      try {
        wait = await this.#duty.step(signal);
        failures.reset();
        this.#state = true;
      } catch (error) {
        if (signal.aborted) return;
        this.#state = `${this.#duty.name}: ${sentenceOf(error)}`;
        wait = isRetryable(error) ? failures.next() : afterRefusal;
        log.warn({ error: sentenceOf(error), retryAfterMs: Math.round(wait) }, 'failed');
      }
      this.#begunAt = undefined;
      await clock.sleep(wait, signal);
    }
  }
}
