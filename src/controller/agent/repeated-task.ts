import type { Clock } from '../../client/clock.ts';
import { isRetryable, sentenceOf } from '../../client/api-error.ts';
import type { Log } from '../operation/log.ts';
import { Backoff } from '../../client/backoff.ts';

/** A task that the agent repeats. */
export interface RepeatedTask {
  readonly name: string;
  /** Runs it once. @returns the number of milliseconds until the next run */
  readonly step: (signal: AbortSignal) => Promise<number>;
}

export interface TaskContext {
  readonly clock: Clock;
  readonly log: Log;
}

/** Failures are retried within the time of a heartbeat, at growing intervals. */
const retryWaits = { first: 1_000, longest: 30_000 };

/** How long to wait after an error that only a user can fix, in milliseconds. */
const afterRefusal = 300_000;

/** The longest time that a run can take, in milliseconds: each of its requests times out before. */
const longestStep = 15 * 60_000;

/** A task that continues after any error, until the signal is aborted. */
export class RunningTask {
  readonly #task: RepeatedTask;
  readonly #context: TaskContext;
  #state: true | string;
  /** The start of the current run. */
  #startedAt: number | undefined;

  constructor(task: RepeatedTask, { clock, log }: TaskContext) {
    this.#task = task;
    this.#context = { clock, log: log.child({ task: task.name }) };
    this.#state = `${task.name} has not begun`;
  }

  /** Whether the last run succeeded; otherwise a sentence with the reason. */
  get state(): true | string {
    return this.#state;
  }

  /** Whether the task is still running, with or without success; otherwise a sentence with the reason. */
  get liveness(): true | string {
    if (this.#startedAt === undefined) return true;
    const elapsed = this.#context.clock.elapsed() - this.#startedAt;
    return elapsed <= longestStep || `${this.#task.name} has taken ${Math.floor(elapsed / 60_000)} min`;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#context;
    const failures = new Backoff(clock, retryWaits);
    while (!signal.aborted) {
      let wait: number;
      this.#startedAt = clock.elapsed();
      try {
        wait = await this.#task.step(signal);
        failures.reset();
        this.#state = true;
      } catch (error) {
        if (signal.aborted) return;
        this.#state = `${this.#task.name}: ${sentenceOf(error)}`;
        wait = isRetryable(error) ? failures.next() : afterRefusal;
        log.warn({ error: sentenceOf(error), retryAfterMs: Math.round(wait) }, 'failed');
      }
      this.#startedAt = undefined;
      await clock.sleep(wait, signal);
    }
  }
}
