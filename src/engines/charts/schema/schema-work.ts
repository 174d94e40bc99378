import { SchemaLimitError } from './schema-error.ts';

/** What the schemas of a chart and of all charts in it may cost. A step takes about 0.4 µs. */
export const mostSchemaSteps = 1_000_000;

/** Counts what schemas cost, so that a chart from anyone ends soon. */
export class SchemaWork {
  readonly #most: number;
  #steps = 0;

  constructor(most = mostSchemaSteps) {
    this.#most = most;
  }

  /** The steps so far. */
  get steps(): number {
    return this.#steps;
  }

  /** @throws {SchemaLimitError} beyond the bound */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > this.#most)
      throw new SchemaLimitError('the schema needs too many steps for these values');
  }
}
