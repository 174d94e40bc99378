import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { moment } from '../../base/time/rfc3339.ts';
import { asPredicted, onTheWay, type ReadClass, type Reading } from './reading.ts';

/** An add-on on a cluster that has another first cause than in the reading before. */
export interface CauseChange {
  readonly addOn: string;
  readonly cluster: string;
  readonly state: string;
  /** Undefined if it is as predicted. */
  readonly cause: ReadClass['cause'] | undefined;
  /** The state and the cause before, such as `different, manifest-conflict`. */
  readonly before: string;
}

/**
 * The earliest times, in milliseconds since the epoch, since which a cluster is in a state: by add-on and present cause. What is on
 * the way passes from one cause to the next, so there the time is that of the cause.
 */
export type OldestTimes = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** What a reading shows in comparison with those before. */
export interface Development {
  /** Empty for the first reading. */
  readonly changes: readonly CauseChange[];
  readonly oldest: OldestTimes;
}

interface ClusterState {
  readonly state: string;
  readonly code: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

type ClusterStates = ReadonlyMap<string, ClusterState>;

const none: ClusterStates = new Map();

/** Remembers the clusters of the last reading that are not as predicted. */
export class CauseHistory {
  #before: ReadonlyMap<string, ClusterStates> | undefined;

  /** @param now - milliseconds since the epoch */
  add({ addOns }: Reading, now: number): Development {
    const isFirst = this.#before === undefined;
    const changes: CauseChange[] = [];
    const oldest = new Map<string, Map<string, number>>();
    const current = new Map<string, ClusterStates>();
    for (const { addOn, classes } of addOns) {
      const before = this.#before?.get(addOn) ?? none;
      const states = new Map<string, ClusterState>();
      const times = getOrInsertComputed(oldest, addOn, () => new Map<string, number>());
      current.set(addOn, states);
      for (const { state, cause, clusters, since } of classes) {
        const { code } = cause;
        // What the first reading shows began earlier. Later ones see states begin.
        const began = isFirst ? (moment(since) ?? now) : now;
        for (const cluster of clusters) {
          const earlier = before.get(cluster);
          const itsSince = earlier !== undefined && continues(earlier, state, code) ? earlier.since : began;
          states.set(cluster, { state, code, since: itsSince });
          if (itsSince < (times.get(code) ?? Infinity)) times.set(code, itsSince);
          if (!isFirst && earlier?.code !== code)
            changes.push({ addOn, cluster, state, cause, before: wordsOf(earlier) });
        }
      }
      for (const [cluster, earlier] of before)
        if (!states.has(cluster))
          changes.push({ addOn, cluster, state: asPredicted, cause: undefined, before: wordsOf(earlier) });
    }
    this.#before = current;
    return { changes, oldest };
  }
}

function continues(earlier: ClusterState, state: string, code: string): boolean {
  return earlier.state === state && (state !== onTheWay || earlier.code === code);
}

function wordsOf(earlier: ClusterState | undefined): string {
  return earlier === undefined ? asPredicted : `${earlier.state}, ${earlier.code}`;
}
