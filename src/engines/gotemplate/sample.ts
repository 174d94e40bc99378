/** The results of a rendering: one of two fixed ones, or new random ones at each call. */
export type SampleKind = 'first' | 'second' | 'random';

/**
 * What functions return in a rendering that are random or read the clock. The fixed results differ in each character, so an output that is
 * equal with both depends on none of them.
 */
export class Sample {
  readonly kind: SampleKind;
  #draws = 0;
  #readsClock = false;

  constructor(kind: SampleKind) {
    this.kind = kind;
  }

  /** Whether a function returned anything of it. */
  get isUsed(): boolean {
    return this.#draws > 0 || this.#readsClock;
  }

  /** Whether a function read the clock. */
  get readsClock(): boolean {
    return this.#readsClock;
  }

  /** Counts the random results, and returns how many there were before. */
  draw(): number {
    this.#draws += 1;
    return this.#draws - 1;
  }

  /** Records that a function reads the clock. */
  readClock(): void {
    this.#readsClock = true;
  }
}
