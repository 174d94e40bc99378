import { Line } from './line.ts';

/**
 * Serves parties in turn, and the items of a party in the order in which they were added. Regardless of the number of
 * items of a party, the first item of another waits for at most one item of each party.
 */
export class FairQueue<T> {
  /** The parties that have items. */
  readonly #lines = new Map<string, Line<T>>();
  /** The same parties, each once, in the order of their turns. */
  readonly #turns = new Line<string>();

  push(party: string, item: T): void {
    let line = this.#lines.get(party);
    if (line === undefined) {
      line = new Line<T>();
      this.#lines.set(party, line);
      this.#turns.push(party);
    }
    line.push(item);
  }

  /** Removes and returns the next item; undefined if there is none. */
  shift(): T | undefined {
    const party = this.#turns.shift();
    if (party === undefined) return undefined;
    const line = this.#lines.get(party);
    const item = line?.shift();
    if (line === undefined || line.size === 0) this.#lines.delete(party);
    else this.#turns.push(party);
    return item;
  }

  clear(): void {
    this.#lines.clear();
    this.#turns.clear();
  }
}
