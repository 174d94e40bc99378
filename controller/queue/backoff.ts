import type { Clock } from '../clock.ts';

export interface BackoffOptions {
  /** The first wait at most, in milliseconds. */
  readonly first: number;
  /** The longest wait, in milliseconds. */
  readonly longest: number;
}

/** How long to wait after each failure in a row: twice as long each time, less up to a third of that at random. */
export class Backoff {
  readonly #clock: Clock;
  readonly #options: BackoffOptions;
  #failures = 0;

  constructor(clock: Clock, options: BackoffOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  /** Milliseconds to wait after one more failure. */
  next(): number {
    const wait = waitAfter(this.#failures, this.#options, this.#clock);
    this.#failures += 1;
    return wait;
  }

  /** Something succeeded. */
  reset(): void {
    this.#failures = 0;
  }
}

/** @param failures - how many there were before this one */
export function waitAfter(
  failures: number,
  { first, longest }: BackoffOptions,
  clock: Pick<Clock, 'random'>,
): number {
  const wait = Math.min(longest, first * 2 ** Math.min(failures, 40));
  // Also of the longest: those that failed together are not to come again together.
  return wait * (1 - clock.random() / 3);
}
