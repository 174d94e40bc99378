import { compareText } from '../../../src/base/collections/compare-text.ts';

/** How often each result was seen. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(result: string): void {
    this.#counts.set(result, (this.#counts.get(result) ?? 0) + 1);
  }

  /** The number of all results. */
  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Returns how often a result was seen. */
  of(result: string): number {
    return this.#counts.get(result) ?? 0;
  }

  /** The results with their numbers: `3 applied, 1 FW8312`. */
  toString(): string {
    return [...this.#counts]
      .sort(([one], [other]) => compareText(one, other))
      .map(([result, count]) => `${count} ${result}`)
      .join(', ');
  }
}
