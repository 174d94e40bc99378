import { setTimeout as delay } from 'node:timers/promises';

/** The time, and waiting. It is injected, so that tests need not wait and can step the clock. */
export interface Clock {
  /** Returns milliseconds since the epoch. People can set this clock, so it may step back. For stored times. */
  now(): number;
  /** Returns milliseconds since an arbitrary time; never steps back. For deadlines and durations. */
  elapsed(): number;
  /**
   * Waits. Returns early, without an error, if the signal is aborted.
   *
   * @param ms - milliseconds
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Returns a random number, at least 0 and less than 1, which spreads the retries of many processes. */
  random(): number;
}

/** Timers of Node that wait for longer than 24 days fire immediately. */
const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: async (ms, signal) => {
    for (let left = ms; ; left -= longestTimer) {
      await delay(Math.min(left, longestTimer), undefined, signal && { signal }).catch((error: unknown) => {
        if (signal?.aborted !== true) throw error;
      });
      if (left <= longestTimer || signal?.aborted === true) return;
    }
  },
  random: () => Math.random(),
};

/** Returns the time in the format of most Kubernetes fields: seconds. */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Returns the time in the format of Kubernetes fields of the type MicroTime, such as those of Leases. */
export function microTimestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/Z$/, '000Z');
}
