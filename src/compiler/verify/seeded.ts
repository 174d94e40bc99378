/** Choices that a seed repeats, on any machine. */
export class Seeded {
  #state: number;

  constructor(seed: number) {
    // Neighboring seeds begin far apart.
    this.#state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  }

  /** Returns a number from 0 up to, not including, 1 (mulberry32). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  }

  /** Returns a whole number between two, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  /** Returns true in the given share of cases. */
  chance(share: number): boolean {
    return this.fraction() < share;
  }

  /** Returns one of the items; the alternative if there are none. */
  pick<T>(items: readonly T[], alternative: T): T {
    return items[this.between(0, items.length - 1)] ?? alternative;
  }

  /** Returns at most this number of the items, in random order. */
  sample<const T>(items: readonly T[], count: number): T[] {
    const left = [...items];
    const taken: T[] = [];
    while (taken.length < count && left.length > 0)
      taken.push(...left.splice(this.between(0, left.length - 1), 1));
    return taken;
  }

  /** Returns the results of this number of calls. */
  times<T>(count: number, make: (index: number) => T): T[] {
    return Array.from({ length: count }, (_, index) => make(index));
  }
}
