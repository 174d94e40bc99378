import type { CallContext } from '../function.ts';
import { CannotTell } from '../error.ts';
import type { CelResult, CelValue } from '../values/value.ts';

/** Computes an expression, or a part of one. */
export type Compute = (run: Run) => CelResult;

/** Thrown if an expression exceeds its cost limit. */
export class CostLimitExceeded extends Error {}

/** One evaluation of one expression: its variables and its cost so far. */
export class Run {
  readonly context: CallContext;
  readonly variables: ReadonlyMap<string, CelValue>;
  /** The variables of the current loops; undefined until an accumulator is first read. */
  readonly locals: (CelResult | undefined)[] = [];
  readonly #limit: number;
  #cost = 0;
  /** The additional cost if the hub iterated over its maps in the most expensive order. */
  #possibleCost = 0;
  /** Whether a loop over a map can have ended early, so that the cost depends on the order. */
  #orderMatters = false;

  constructor(variables: ReadonlyMap<string, CelValue>, context: CallContext, limit: number) {
    this.variables = variables;
    this.context = context;
    this.#limit = limit;
  }

  get cost(): number {
    return this.#cost;
  }

  /** The maximum cost on the hub. */
  get highestCost(): number {
    return this.#cost + this.#possibleCost;
  }

  /** @throws {CostLimitExceeded} as soon as the limit is exceeded, which also ends the evaluation on the hub */
  charge(amount: number): void {
    this.#cost += amount;
    if (this.#cost <= this.#limit) return;
    if (this.#orderMatters)
      throw new CannotTell(
        'its cost is near the limit and depends on the order of a map, which is random on the hub',
      );
    throw new CostLimitExceeded();
  }

  /** Records that the cost from here on depends on the order of a map. */
  leaveOrderOpen(): void {
    this.#orderMatters = true;
  }

  /** Runs a step that the hub may run in another order: it adds to the possible cost only. */
  doOptionally(work: () => void): void {
    const cost = this.#cost;
    try {
      work();
    } finally {
      this.#possibleCost += this.#cost - cost;
      this.#cost = cost;
    }
  }
}
