import { setTimeout as delay } from 'node:timers/promises';

/** The time, and how to wait. Injected, so that tests need not wait and can step the clock. */
export interface Clock {
  /** Milliseconds since the epoch, as people set them: may step back. For what is written down. */
  now(): number;
  /** Milliseconds since some moment; never steps back. For deadlines and durations. */
  elapsed(): number;
  /**
   * Waits. Returns early, without an error, where the signal is aborted.
   *
   * @param ms - milliseconds
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** At least 0 and less than 1, differently each time: what spreads retries of many processes. */
  random(): number;
}

/** Timers of Node that are to wait for longer than 24 days end at once. */
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

/** The time as Kubernetes writes it in most fields: seconds. */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** The time as Kubernetes writes it in fields of the type MicroTime, such as those of Leases. */
export function microTimestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/Z$/, '000Z');
}
