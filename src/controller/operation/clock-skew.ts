import type { Clock } from '../../client/clock.ts';
import type { Log } from './log.ts';

/** The tolerated difference between clocks, in seconds. Certificates are backdated by five minutes. */
const tolerance = 60;
/** Milliseconds between two log lines. */
const pause = 600_000;

/**
 * Compares the clock of this machine with that of the API server. This clock dates certificates, and that of the API
 * server dates requests.
 */
export class ClockSkew {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #log: Log;
  readonly #onSkew: (seconds: number) => void;
  #loggedAt: number | undefined;

  /** @param onSkew - called with the seconds by which this clock is ahead */
  constructor(clock: Pick<Clock, 'elapsed'>, log: Log, onSkew: (seconds: number) => void) {
    this.#clock = clock;
    this.#log = log;
    this.#onSkew = onSkew;
  }

  /** @param skew - milliseconds by which this clock was ahead at an answer; undefined if that is unknown */
  observe(skew: number | undefined): void {
    if (skew === undefined) return;
    // Servers write whole seconds.
    const seconds = Math.round(skew / 1000);
    this.#onSkew(seconds);
    if (Math.abs(seconds) <= tolerance) {
      if (this.#loggedAt !== undefined)
        this.#log.info({ seconds }, 'the clock of this machine is correct again');
      this.#loggedAt = undefined;
      return;
    }
    const now = this.#clock.elapsed();
    if (this.#loggedAt !== undefined && now - this.#loggedAt < pause) return;
    this.#loggedAt = now;
    this.#log.warn(
      { seconds },
      `the clock of this machine is ${seconds > 0 ? 'ahead of' : 'behind'} that of the API server: it determines the dates of certificates that are signed here`,
    );
  }
}
