import { setImmediate } from 'node:timers/promises';
import { ApiError, isConflict, isRetryable, sentenceOf } from '../kube/api-error.ts';
import type { Log } from '../operation/log.ts';
import type { WorkQueue } from './work-queue.ts';

/** How an object is to be looked at again without anything happening to it. */
export interface ReconcileResult {
  /** Milliseconds. */
  readonly requeueAfter?: number;
}

/** What a reconciler is given beside the key. */
export interface ReconcileContext {
  /** Aborted when the work must stop in the middle. */
  readonly signal: AbortSignal;
  /** Says which object, in every line. */
  readonly log: Log;
}

/**
 * Brings what is there to what should be, for one object, from whatever state. It looks at the state and not at what
 * happened, and may be called at any time for any key, also of objects that are gone. Throws where that fails: it is called
 * again, later each time, unless the error is not retryable.
 */
export type Reconcile = (key: string, context: ReconcileContext) => Promise<ReconcileResult | undefined>;

export interface WorkerOptions {
  readonly queue: WorkQueue;
  readonly reconcile: Reconcile;
  /** Keys at a time. */
  readonly workers: number;
  readonly log: Log;
  /** @param terminal - whether the key is not tried again before something changes */
  readonly onError?: (queue: string, terminal: boolean) => void;
}

/**
 * Works on a queue until the signal is aborted; returns when the work that was under way is over. Shuts the queue down.
 *
 * @param abandoned - aborted when work that is under way must stop in the middle; with `signal` where that is not said
 */
export async function runWorkers(
  options: WorkerOptions,
  signal: AbortSignal,
  abandoned: AbortSignal = signal,
): Promise<void> {
  const { queue, workers } = options;
  const stop = (): void => queue.shutDown();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  await Promise.all(Array.from({ length: workers }, async () => await work(options, abandoned)));
  signal.removeEventListener('abort', stop);
}

async function work(options: WorkerOptions, abandoned: AbortSignal): Promise<void> {
  const { queue } = options;
  for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
    try {
      await workOn(key, options, abandoned);
    } finally {
      queue.done(key);
    }
    // Work that needs no answer from elsewhere would keep timers and sockets waiting until the queue is empty, and with them the
    // renewal of the lease.
    await setImmediate();
  }
}

/** As long as that a key waits for a busy server, in seconds. */
const longestWait = 30;

async function workOn(key: string, options: WorkerOptions, signal: AbortSignal): Promise<void> {
  const { queue, reconcile, onError } = options;
  const log = options.log.child({ queue: queue.name, object: key });
  try {
    const result = await reconcile(key, { signal, log });
    queue.forget(key);
    if (result?.requeueAfter !== undefined) queue.addAfter(key, result.requeueAfter);
  } catch (error) {
    if (signal.aborted) return;
    if (isConflict(error)) {
      // Another writer was first: what it wrote is about to arrive, and nothing is wrong.
      log.debug({ error: sentenceOf(error) }, 'another writer was first');
      queue.addFailed(key);
      return;
    }
    const busy = error instanceof ApiError ? error.status.retryAfterSeconds : undefined;
    if (busy !== undefined) {
      const wait = Math.min(busy, longestWait) * 1000;
      log.warn({ error: sentenceOf(error), retryAfterMs: wait }, 'the API server is too busy');
      queue.addAfter(key, wait);
      return;
    }
    const terminal = !isRetryable(error);
    onError?.(queue.name, terminal);
    log.error({ error: sentenceOf(error), terminal }, 'cannot be reconciled');
    if (terminal) queue.forget(key);
    else queue.addFailed(key);
  }
}
