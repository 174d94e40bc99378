import type { Clock } from '../../client/clock.ts';

interface Budget {
  /** The remaining budget, as the number of milliseconds that it took to refill. */
  readonly remaining: number;
  /** The time of that value. */
  readonly at: number;
}

export interface BudgetOptions {
  readonly clock: Pick<Clock, 'elapsed'>;
  /** The size of a full budget. */
  readonly burst: number;
  /** The number of milliseconds until one more is added. */
  readonly refill: number;
}

/**
 * Rate limits, separate for each of many keys, as token buckets. Only budgets that are not full again are kept in
 * memory.
 */
export class Budgets {
  readonly #options: BudgetOptions;
  /** In the order of their last use. */
  readonly #budgets = new Map<string, Budget>();

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  /** The number of budgets that are not full. */
  get size(): number {
    return this.#budgets.size;
  }

  /**
   * Takes one, if `rest` remain afterwards.
   *
   * @param rest - @default 0
   * @returns whether it was taken
   */
  take(key: string, rest = 0): boolean {
    const { clock, refill } = this.#options;
    const remaining = this.#remaining(key);
    if (remaining < refill * (1 + rest)) return false;
    this.#budgets.delete(key);
    this.#forgetFull();
    this.#budgets.set(key, { remaining: remaining - refill, at: clock.elapsed() });
    return true;
  }

  /** Returns the number of milliseconds until one is available; 0 if one is. */
  wait(key: string): number {
    return Math.max(0, this.#options.refill - this.#remaining(key));
  }

  #remaining(key: string): number {
    const { clock, burst, refill } = this.#options;
    const budget = this.#budgets.get(key);
    const full = burst * refill;
    return budget === undefined ? full : Math.min(full, budget.remaining + clock.elapsed() - budget.at);
  }

  /**
   * Starts with the oldest and stops at one that is not full, so that each budget is checked about as often as it is
   * used.
   */
  #forgetFull(): void {
    const { burst, refill } = this.#options;
    for (const key of this.#budgets.keys()) {
      if (this.#remaining(key) < burst * refill) return;
      this.#budgets.delete(key);
    }
  }
}
