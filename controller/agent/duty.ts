import type { Clock } from '../clock.ts';
import { isRetryable, sentenceOf } from '../kube/api-error.ts';
import type { Log } from '../operation/log.ts';
import { Backoff } from '../queue/backoff.ts';

/** Something that the agent does over and over. */
export interface Duty {
  readonly name: string;
  /** Does it once. @returns after how many milliseconds to do it again */
  readonly step: (signal: AbortSignal) => Promise<number>;
}

export interface DutyContext {
  readonly clock: Clock;
  readonly log: Log;
}

/** Failures are tried again within a heartbeat's time, at growing intervals. */
const waits = { first: 1_000, longest: 30_000 };

/** So long nothing is tried that the server calls wrong: only somebody else can mend it. */
const afterRefusal = 300_000;

/** So long no duty takes that goes on, in milliseconds: every request of it is given up before. */
const longestStep = 15 * 60_000;

/** A duty that goes on whatever happens to it, until the signal is aborted. */
export class RunningDuty {
  readonly #duty: Duty;
  readonly #context: DutyContext;
  #state: true | string;
  /** Since when it is being done. */
  #begunAt: number | undefined;

  constructor(duty: Duty, { clock, log }: DutyContext) {
    this.#duty = duty;
    this.#context = { clock, log: log.child({ duty: duty.name }) };
    this.#state = `${duty.name} has not begun`;
  }

  /** Whether it was done the last time it was tried; a sentence that says why not, otherwise. */
  get state(): true | string {
    return this.#state;
  }

  /** Whether it goes on, done or not; a sentence that says why not, otherwise. */
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
