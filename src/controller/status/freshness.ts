import type { Clock } from '../../client/clock.ts';

/** The longest time that Events and the pause after them can take on a hub that hardly answers, in milliseconds. */
const longestEvents = 15 * 60_000;

/** How recent the last successful reading is, and whether readings still begin and end. */
export class Freshness {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #staleAfter: number;
  #succeededAt: number | undefined;
  #failure: string | undefined;
  /** When the last reading began or ended. */
  #movedAt: number;

  /** @param staleAfter - milliseconds */
  constructor(clock: Pick<Clock, 'elapsed'>, staleAfter: number) {
    this.#clock = clock;
    this.#staleAfter = staleAfter;
    this.#movedAt = clock.elapsed();
  }

  began(): void {
    this.#movedAt = this.#clock.elapsed();
  }

  succeeded(): void {
    this.#movedAt = this.#succeededAt = this.#clock.elapsed();
    this.#failure = undefined;
  }

  failed(sentence: string): void {
    this.#movedAt = this.#clock.elapsed();
    this.#failure = sentence;
  }

  /** Whether there are values, and they are recent; otherwise a sentence with the reason. */
  get readiness(): true | string {
    const why = this.#failure === undefined ? '' : `: ${this.#failure}`;
    if (this.#succeededAt === undefined) return `the first reading is not complete${why}`;
    const age = this.#clock.elapsed() - this.#succeededAt;
    return age <= this.#staleAfter || `no reading has succeeded for ${minutes(age)}${why}`;
  }

  /**
   * Whether readings go on, with or without success; otherwise a sentence with the fault, which only a restart can fix. A reading
   * ends after `staleAfter` at the latest, and the pause after it and its Events is four times as long.
   */
  get liveness(): true | string {
    const still = this.#clock.elapsed() - this.#movedAt;
    const limit = 6 * this.#staleAfter + longestEvents;
    return still <= limit || `no reading has begun or ended for ${minutes(still)}`;
  }
}

function minutes(ms: number): string {
  return `${Math.floor(ms / 60_000)} min`;
}
