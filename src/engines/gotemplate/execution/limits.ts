import { TemplateLimitError } from '../error.ts';

/** Bounds of one execution. */
export interface Limits {
  /**
   * Code units of output, and of every text that a function makes.
   *
   * @default 16,777,216
   */
  readonly output: number;
  /**
   * Templates that are executing at the same time, each called by the one before. Many more need more than JavaScript's stack.
   *
   * @default 100
   */
  readonly depth: number;
  /**
   * Actions, commands and items of loops, and what functions count for their arguments. A step takes about 0.4 µs.
   *
   * @default 5,000,000
   */
  readonly steps: number;
}

export const defaultLimits: Limits = { output: 16 * 1024 * 1024, depth: 100, steps: 5_000_000 };

/** What the execution of a template costs beside its actions. */
const templateSteps = 20;

/** Counts what an execution uses. */
export class Meter {
  readonly #limits: Limits;
  #steps = 0;
  #output = 0;
  #depth = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** The steps so far. */
  get steps(): number {
    return this.#steps;
  }

  /** @throws {TemplateLimitError} beyond the bound */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > this.#limits.steps)
      throw new TemplateLimitError(`the template needs more than ${String(this.#limits.steps)} steps`);
  }

  /** @throws {TemplateLimitError} beyond the bound */
  write(length: number): void {
    this.#output += length;
    if (this.#output > this.#limits.output)
      throw new TemplateLimitError(`the template writes more than ${String(this.#limits.output)} characters`);
  }

  /** Checks the length of a text that a function returns. Long ones count as steps, too. */
  checkText(length: number): void {
    if (length > this.#limits.output)
      throw new TemplateLimitError(`a text has more than ${String(this.#limits.output)} characters`);
    this.spend(length >> 4);
  }

  /** Runs a called template. */
  nested<T>(run: () => T): T {
    this.spend(templateSteps);
    this.#depth += 1;
    if (this.#depth > this.#limits.depth)
      throw new TemplateLimitError(`more than ${String(this.#limits.depth)} templates call each other`);
    try {
      return run();
    } finally {
      this.#depth -= 1;
    }
  }
}
