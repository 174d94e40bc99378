/** First come, first served, in the same time however many wait. */
export class Line<T> {
  #items: T[] = [];
  #served = 0;

  /** How many wait. */
  get size(): number {
    return this.#items.length - this.#served;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** The first; undefined where nobody waits. */
  shift(): T | undefined {
    const first = this.#items[this.#served];
    if (this.#served === this.#items.length) return undefined;
    this.#served += 1;
    // What was served is let go once it is more than what waits.
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
