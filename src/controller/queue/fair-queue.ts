import { FifoQueue } from './fifo-queue.ts';

/**
 * Serves parties in turn, and the items of a party in the order in which they were added. Regardless of the number of
 * items of a party, the first item of another waits for at most one item of each party.
 */
export class FairQueue<T> {
  /** The parties that have items. */
  readonly #queues = new Map<string, FifoQueue<T>>();
  /** The same parties, each once, in the order of their turns. */
  readonly #order = new FifoQueue<string>();

  push(party: string, item: T): void {
    let queue = this.#queues.get(party);
    if (queue === undefined) {
      queue = new FifoQueue<T>();
      this.#queues.set(party, queue);
      this.#order.push(party);
    }
    queue.push(item);
  }

  /** Removes and returns the next item; undefined if there is none. */
  shift(): T | undefined {
    const party = this.#order.shift();
    if (party === undefined) return undefined;
    const queue = this.#queues.get(party);
    const item = queue?.shift();
    if (queue === undefined || queue.size === 0) this.#queues.delete(party);
    else this.#order.push(party);
    return item;
  }

  clear(): void {
    this.#queues.clear();
    this.#order.clear();
  }
}
