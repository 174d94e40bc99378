/** Chance that a seed repeats: the same seed gives the same choices, on any machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Neighbouring seeds begin far apart.
    this.#state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  }

  /** A number from 0 up to, not including, 1. As mulberry32. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  }

  /** A whole number between two, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  /** True in the given share of cases. */
  chance(share: number): boolean {
    return this.fraction() < share;
  }

  /** One of the items. */
  pick<const T>(items: readonly [T, ...T[]] | readonly T[]): T {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined && items.length === 0) throw new Error('nothing to pick from');
    return item as T;
  }

  /** Each item with the given chance, in their order. */
  some<const T>(items: readonly T[], share: number): T[] {
    return items.filter(() => this.chance(share));
  }

  /** Returns this number of the items, in random order. */
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

  /** Fields, each with its own chance; those that do not come are absent. */
  maybe<T>(share: number, make: () => T): T | undefined {
    return this.chance(share) ? make() : undefined;
  }
}

/** The object without the fields that are undefined. */
export function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
