import type { Clock } from '../../client/clock.ts';
import { waitAfter, type BackoffOptions } from '../../client/backoff.ts';
import { FairQueue } from './fair-queue.ts';

/** The metrics that a queue reports; times in seconds. */
export interface QueueMetrics {
  depth(queue: string, keys: number): void;
  added(queue: string): void;
  retried(queue: string): void;
  /** Records how long a key waited. */
  waited(queue: string, seconds: number): void;
  /** Records how long the work on a key took. */
  worked(queue: string, seconds: number): void;
}

export interface WorkQueueOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly metrics?: QueueMetrics;
  /** @default 50 milliseconds to 5 minutes */
  readonly backoff?: BackoffOptions;
  /**
   * Returns the party of a key. Parties are served in turn, so that the backlog of one does not delay another.
   *
   * @default - the part of the key before the slash, which is its namespace
   */
  readonly partyOf?: (key: string) => string;
}

/**
 * Keys of objects to reconcile. A key is in the queue once, regardless of how often it is added, and is not returned
 * while a worker processes it: a key that is added in the meantime is returned again after `done`. As client-go's
 * rate-limited work queue, but parties are served in turn.
 */
export class WorkQueue {
  readonly name: string;
  readonly #clock: Clock;
  readonly #metrics: QueueMetrics | undefined;
  readonly #backoff: BackoffOptions;
  /** Waiting keys, each with the time since when it waits. */
  readonly #waiting = new Map<string, number>();
  /** The same keys in the order in which they are served. */
  readonly #order = new FairQueue<string>();
  readonly #partyOf: (key: string) => string;
  /** Keys in progress, each with the time of its start. */
  readonly #active = new Map<string, number>();
  /** Keys that were added while they were in progress. */
  readonly #addedAgain = new Set<string>();
  /** Keys to be added later: the time, and a controller that cancels it. */
  readonly #delayed = new Map<string, { readonly at: number; readonly cancel: AbortController }>();
  readonly #failures = new Map<string, number>();
  /** Workers that wait for a key. */
  readonly #idle: ((key: string | undefined) => void)[] = [];
  #isShutDown = false;

  constructor({
    name,
    clock,
    metrics,
    backoff = { first: 50, longest: 300_000 },
    partyOf = namespaceOf,
  }: WorkQueueOptions) {
    this.name = name;
    this.#clock = clock;
    this.#metrics = metrics;
    this.#backoff = backoff;
    this.#partyOf = partyOf;
  }

  /** The number of waiting keys, without those for later. */
  get depth(): number {
    return this.#waiting.size;
  }

  /** The key that has been in progress for longest, and the number of milliseconds. */
  get longest(): { readonly key: string; readonly ms: number } | undefined {
    // Keys are in the map in the order in which their work began.
    for (const [key, since] of this.#active) return { key, ms: this.#clock.elapsed() - since };
    return undefined;
  }

  /** Adds a key, to be processed as soon as a worker is free. */
  add(key: string): void {
    if (this.#isShutDown) return;
    // A key that was to be added later is due now.
    this.#delayed.get(key)?.cancel.abort();
    this.#delayed.delete(key);
    if (this.#waiting.has(key) || this.#addedAgain.has(key)) return;
    this.#metrics?.added(this.name);
    if (this.#active.has(key)) this.#addedAgain.add(key);
    else this.#offer(key);
  }

  /** Adds a key after some milliseconds, unless it is added before. The earlier of two times counts. */
  addAfter(key: string, ms: number): void {
    if (this.#isShutDown) return;
    const at = this.#clock.elapsed() + ms;
    const planned = this.#delayed.get(key);
    if (this.#waiting.has(key) || (planned !== undefined && planned.at <= at)) return;
    planned?.cancel.abort();
    const cancel = new AbortController();
    this.#delayed.set(key, { at, cancel });
    void this.#addOnceSlept(key, ms, cancel.signal);
  }

  async #addOnceSlept(key: string, ms: number, cancelled: AbortSignal): Promise<void> {
    await this.#clock.sleep(ms, cancelled);
    if (!cancelled.aborted) this.add(key);
  }

  /** Adds a key that failed, with a longer delay each time. */
  addFailed(key: string): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.#metrics?.retried(this.name);
    this.addAfter(key, waitAfter(failures, this.#backoff, this.#clock));
  }

  /** Resets the failures of a key after a success. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** Returns the next key; undefined once the queue is shut down. Call `done` when its work is finished. */
  async take(): Promise<string | undefined> {
    if (this.#isShutDown) return undefined;
    const key = this.#order.shift();
    if (key === undefined) return await new Promise((resolve) => this.#idle.push(resolve));
    const since = this.#waiting.get(key) ?? this.#clock.elapsed();
    this.#waiting.delete(key);
    this.#begin(key, since);
    return key;
  }

  /** Marks the work on a key as finished, with or without success. */
  done(key: string): void {
    const since = this.#active.get(key);
    if (since === undefined) return;
    this.#active.delete(key);
    this.#metrics?.worked(this.name, (this.#clock.elapsed() - since) / 1000);
    if (this.#addedAgain.delete(key) && !this.#isShutDown) this.#offer(key);
  }

  /** Accepts and returns no more keys. */
  shutDown(): void {
    this.#isShutDown = true;
    for (const { cancel } of this.#delayed.values()) cancel.abort();
    this.#delayed.clear();
    this.#waiting.clear();
    this.#order.clear();
    this.#addedAgain.clear();
    this.#metrics?.depth(this.name, 0);
    for (const worker of this.#idle.splice(0)) worker(undefined);
  }

  #offer(key: string): void {
    const now = this.#clock.elapsed();
    const worker = this.#idle.shift();
    if (worker === undefined) {
      this.#waiting.set(key, now);
      this.#order.push(this.#partyOf(key), key);
      this.#metrics?.depth(this.name, this.#waiting.size);
    } else {
      this.#begin(key, now);
      worker(key);
    }
  }

  #begin(key: string, since: number): void {
    const now = this.#clock.elapsed();
    this.#active.set(key, now);
    this.#metrics?.waited(this.name, (now - since) / 1000);
    this.#metrics?.depth(this.name, this.#waiting.size);
  }
}

function namespaceOf(key: string): string {
  const slash = key.indexOf('/');
  return slash < 0 ? '' : key.slice(0, slash);
}
