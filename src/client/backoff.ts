import type { Clock } from './clock.ts';

export interface BackoffOptions {
  /** The upper bound of the first wait, in milliseconds. */
  readonly first: number;
  /** The longest wait, in milliseconds. */
  readonly longest: number;
}

/** The wait after each failure in a row: twice as long each time, minus up to a third at random. */
export class Backoff {
  readonly #clock: Clock;
  readonly #options: BackoffOptions;
  #failures = 0;

  constructor(clock: Clock, options: BackoffOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  /** Returns the number of milliseconds to wait after one more failure. */
  next(): number {
    const wait = waitAfter(this.#failures, this.#options, this.#clock);
    this.#failures += 1;
    return wait;
  }

  /** Resets the wait after a success. */
  reset(): void {
    this.#failures = 0;
  }
}

/** @param failures - the number of failures before this one */
export function waitAfter(
  failures: number,
  { first, longest }: BackoffOptions,
  clock: Pick<Clock, 'random'>,
): number {
  const wait = Math.min(longest, first * 2 ** Math.min(failures, 40));
  // Also for the longest wait: keys that failed together must not be retried together.
  return wait * (1 - clock.random() / 3);
}
