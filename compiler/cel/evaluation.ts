import type { CallContext } from './function.ts';
import { CannotTell } from './error.ts';
import type { CelResult, CelValue } from './value.ts';

/** Computes an expression, or a part of one. */
export type Compute = (run: Run) => CelResult;

/** Thrown where an expression costs more than it may. */
export class CostLimitExceeded extends Error {}

/** One evaluation of one expression: its variables and what it has cost so far. */
export class Run {
  readonly context: CallContext;
  readonly variables: ReadonlyMap<string, CelValue>;
  /** The variables of the loops that are going on; undefined until an accumulator is first asked for. */
  readonly locals: (CelResult | undefined)[] = [];
  readonly #limit: number;
  #cost = 0;
  /** What it would have cost in addition, had the hub gone through its maps in the most expensive order. */
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

  /** The most that it can cost on the hub. */
  get highestCost(): number {
    return this.#cost + this.#possibleCost;
  }

  /** @throws {CostLimitExceeded} as soon as it is too much, which ends the evaluation on the hub too */
  charge(amount: number): void {
    this.#cost += amount;
    if (this.#cost <= this.#limit) return;
    if (this.#orderMatters)
      throw new CannotTell(
        'its cost is near the limit and depends on the order of a map, which the hub leaves to chance',
      );
    throw new CostLimitExceeded();
  }

  /** Says that the cost from here on depends on the order of a map. */
  leaveOrderOpen(): void {
    this.#orderMatters = true;
  }

  /** Does what the hub may do as well, in another order: it costs nothing, but it could. */
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
