import { setImmediate } from 'node:timers/promises';
import { ApiError, isConflict, isRetryable, sentenceOf } from '../../client/api-error.ts';
import type { Clock } from '../../client/clock.ts';
import { retryWait } from '../../client/retry.ts';
import type { Log } from '../operation/log.ts';
import type { WorkQueue } from './work-queue.ts';

/** How to reconcile an object again without a change. */
export interface ReconcileResult {
  /** Milliseconds. */
  readonly requeueAfter?: number;
}

/** The context of a reconciliation besides the key. */
export interface ReconcileContext {
  /** Aborted when the work must stop immediately. */
  readonly signal: AbortSignal;
  /** Names the object in every line. */
  readonly log: Log;
}

/**
 * Brings one object from its actual state to the desired state, whatever the actual state is. It reads the state and
 * not the change, and may be called at any time for any key, also for objects that no longer exist. If it throws, it
 * is called again, with a longer delay each time, unless the error is not retryable.
 */
export type Reconcile = (key: string, context: ReconcileContext) => Promise<ReconcileResult | undefined>;

export interface WorkerOptions {
  readonly queue: WorkQueue;
  readonly reconcile: Reconcile;
  /** Maximum number of concurrent keys. */
  readonly workers: number;
  readonly clock: Pick<Clock, 'random'>;
  readonly log: Log;
  /** @param terminal - whether the key is not retried before something changes */
  readonly onError?: (queue: string, terminal: boolean) => void;
}

/**
 * Processes a queue until the signal is aborted; returns when the work in flight is finished. Shuts the queue down.
 *
 * @param abandoned - aborted when work in flight must stop immediately; by default together with `signal`
 */
export async function runWorkers(
  options: WorkerOptions,
  signal: AbortSignal,
  abandoned: AbortSignal = signal,
): Promise<void> {
  const { queue, workers } = options;
  const shutDown = (): void => queue.shutDown();
  if (signal.aborted) shutDown();
  signal.addEventListener('abort', shutDown, { once: true });
  await Promise.all(Array.from({ length: workers }, async () => await work(options, abandoned)));
  signal.removeEventListener('abort', shutDown);
}

async function work(options: WorkerOptions, abandoned: AbortSignal): Promise<void> {
  const { queue } = options;
  for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
    try {
      await workOn(key, options, abandoned);
    } finally {
      queue.done(key);
    }
    // Work that waits for no external answer would block timers and sockets until the queue is empty, including the
    // renewal of the lease.
    await setImmediate();
  }
}

/** The longest delay of a key because of a busy server, in seconds. The client has already retried its request. */
const longestWait = 30;

async function workOn(key: string, options: WorkerOptions, signal: AbortSignal): Promise<void> {
  const { queue, reconcile, clock, onError } = options;
  const log = options.log.child({ queue: queue.name, object: key });
  try {
    const result = await reconcile(key, { signal, log });
    queue.forget(key);
    if (result?.requeueAfter !== undefined) queue.addAfter(key, result.requeueAfter);
  } catch (error) {
    if (signal.aborted) return;
    if (isConflict(error)) {
      // Another writer was first: its change is about to arrive, and nothing is wrong.
      log.debug({ error: sentenceOf(error) }, 'another client changed the object first');
      queue.addFailed(key);
      return;
    }
    const busy = error instanceof ApiError ? error.status.retryAfterSeconds : undefined;
    if (busy !== undefined) {
      const wait = retryWait(busy, { longestWait }, clock);
      log.warn({ error: sentenceOf(error), retryAfterMs: Math.round(wait) }, 'the API server is too busy');
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
