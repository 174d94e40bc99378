import type { Clock } from '../clock.ts';

interface Budget {
  /** What is left, in milliseconds that it took to refill. */
  readonly left: number;
  /** When that was so. */
  readonly at: number;
}

export interface BudgetOptions {
  readonly clock: Pick<Clock, 'elapsed'>;
  /** So many at once. */
  readonly burst: number;
  /** And one more in so many milliseconds. */
  readonly refill: number;
}

/**
 * How often something may be done, for each of many keys by itself: as token buckets. Only those are kept in memory that are
 * not full again.
 */
export class Budgets {
  readonly #options: BudgetOptions;
  /** In the order in which they were last taken from. */
  readonly #budgets = new Map<string, Budget>();

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  /** How many budgets are not full. */
  get size(): number {
    return this.#budgets.size;
  }

  /**
   * Takes one, if so many are left afterwards.
   *
   * @param rest - @default 0
   * @returns whether it did
   */
  take(key: string, rest = 0): boolean {
    const { clock, refill } = this.#options;
    const left = this.#left(key);
    if (left < refill * (1 + rest)) return false;
    this.#budgets.delete(key);
    this.#forgetFull();
    this.#budgets.set(key, { left: left - refill, at: clock.elapsed() });
    return true;
  }

  /** Milliseconds until there is one; 0 where there is. */
  wait(key: string): number {
    return Math.max(0, this.#options.refill - this.#left(key));
  }

  #left(key: string): number {
    const { clock, burst, refill } = this.#options;
    const budget = this.#budgets.get(key);
    const full = burst * refill;
    return budget === undefined ? full : Math.min(full, budget.left + clock.elapsed() - budget.at);
  }

  /** From the oldest on, until one is not full: so that each is looked at about as often as it is taken from. */
  #forgetFull(): void {
    const { burst, refill } = this.#options;
    for (const key of this.#budgets.keys()) {
      if (this.#left(key) < burst * refill) return;
      this.#budgets.delete(key);
    }
  }
}
