/** A first-in, first-out queue. The time per item does not depend on the length. */
export class FifoQueue<T> {
  #items: T[] = [];
  #served = 0;

  /** The number of waiting items. */
  get size(): number {
    return this.#items.length - this.#served;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Removes and returns the first item; undefined if there is none. */
  shift(): T | undefined {
    const first = this.#items[this.#served];
    if (this.#served === this.#items.length) return undefined;
    this.#served += 1;
    // Served items are released once there are more of them than of waiting ones.
    if (this.#served * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#served);
      this.#served = 0;
    }
    return first;
  }

  clear(): void {
    this.#items = [];
    this.#served = 0;
  }
}
