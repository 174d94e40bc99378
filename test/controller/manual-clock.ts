import type { Clock } from '../../src/client/clock.ts';

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** A clock that moves only when a test moves it. */
export class ManualClock implements Clock {
  readonly #settled: () => Promise<void>;
  readonly #random: number;
  #wall = Date.UTC(2026, 0, 31, 12);
  #elapsed = 0;
  readonly #sleepers = new Set<Sleeper>();

  /**
   * @param settled - returns when everything has happened that needs no time of this clock. @default no request is needed for it
   * @param random - every random number, from 0 to below 1. @default 0
   */
  constructor(settled: () => Promise<void> = settle, random = 0) {
    this.#settled = settled;
    this.#random = random;
  }

  now(): number {
    return this.#wall;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  random(): number {
    return this.#random;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return;
    await new Promise<void>((resolve) => {
      const sleeper = {
        until: this.#elapsed + ms,
        wake: () => {
          this.#sleepers.delete(sleeper);
          signal?.removeEventListener('abort', sleeper.wake);
          resolve();
        },
      };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', sleeper.wake, { once: true });
    });
  }

  /** Lets time pass; who sleeps wakes in order, and what follows from that happens. */
  async pass(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    for (;;) {
      await this.#settled();
      const [next] = [...this.#sleepers].sort((a, b) => a.until - b.until);
      if (next === undefined || next.until > end) break;
      this.#advance(next.until);
      next.wake();
    }
    this.#advance(end);
    await this.#settled();
  }

  /** Time passes while the machine is suspended: no sleeper wakes up. */
  stall(ms: number): void {
    this.#advance(this.#elapsed + ms);
  }

  /** Steps the time that people set; nothing else moves. */
  step(ms: number): void {
    this.#wall += ms;
  }

  #advance(to: number): void {
    if (to <= this.#elapsed) return;
    this.#wall += to - this.#elapsed;
    this.#elapsed = to;
  }
}

/** Everything that needs neither time nor an answer from somewhere else has happened. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
