/** Values by text. Those that were not asked for in a while can be forgotten. */
export class RecentTexts<T> {
  #used = new Map<string, T>();
  /** What was not asked for since `forgetUnused` was called last. */
  #unused = new Map<string, T>();

  get(text: string): T | undefined {
    const value = this.#used.get(text);
    if (value !== undefined) return value;
    const unused = this.#unused.get(text);
    if (unused !== undefined) this.set(text, unused);
    return unused;
  }

  set(text: string, value: T): void {
    this.#used.set(text, value);
  }

  /** Returns the values that were asked for since `forgetUnused` was called last. */
  values(): Iterable<T> {
    return this.#used.values();
  }

  /** Forgets the values that were not asked for since the last call. */
  forgetUnused(): void {
    this.#unused = this.#used;
    this.#used = new Map();
  }
}
