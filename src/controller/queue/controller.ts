import type { Change } from '../cache/informer.ts';
import type { Clock } from '../../client/clock.ts';
import type { ApiObject, ObjectKey } from '../../client/object.ts';
import type { Log } from '../operation/log.ts';
import type { QueueMetrics } from './work-queue.ts';
import { WorkQueue } from './work-queue.ts';
import { runWorkers, type Reconcile } from './workers.ts';

/** Adds keys to a queue. */
export interface Source {
  /**
   * Calls `enqueue` with all existing keys, in pieces if there are many, and from now on with those that may need work.
   *
   * @returns a function that ends the subscription
   */
  subscribe(enqueue: (key: ObjectKey) => void): () => void;
}

/** Returns the objects of an informer as a source: `keys` returns the keys to reconcile when one changes. */
export function source<T extends ApiObject>(
  informer: { onChange(handler: (change: Change<T>) => void): () => void },
  keys: (change: Change<T>) => Iterable<ObjectKey>,
): Source {
  return {
    subscribe: (enqueue) =>
      informer.onChange((change) => {
        for (const key of keys(change)) enqueue(key);
      }),
  };
}

/** A reconciler with its sources. */
export interface Controller {
  /** The name of its queue in logs and metrics. */
  readonly name: string;
  readonly sources: readonly Source[];
  readonly reconcile: Reconcile;
  /** Maximum number of concurrent keys. @default 4 */
  readonly workers?: number;
  /** Returns the party of a key, as in the work queue. @default - its namespace */
  readonly partyOf?: (key: ObjectKey) => string;
}

export interface ControllerOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: {
    readonly queues: QueueMetrics;
    announceQueue(queue: string): void;
    readonly onReconcileError: (queue: string, terminal: boolean) => void;
  };
  /** The active queues, for checks of their progress. */
  readonly queues?: Set<WorkQueue>;
}

/**
 * Runs controllers until the signal is aborted. Each has a separate queue that gets all existing keys. Caches
 * must be synced before. Returns when the work in flight is finished.
 *
 * @param abandoned - as in `runWorkers`
 */
export async function runControllers(
  controllers: readonly Controller[],
  options: ControllerOptions,
  signal: AbortSignal,
  abandoned: AbortSignal = signal,
): Promise<void> {
  await Promise.all(
    controllers.map(async (controller) => await runController(controller, options, signal, abandoned)),
  );
}

async function runController(
  { name, sources, reconcile, workers = 4, partyOf }: Controller,
  { clock, log, metrics, queues }: ControllerOptions,
  signal: AbortSignal,
  abandoned: AbortSignal,
): Promise<void> {
  metrics.announceQueue(name);
  const queue = new WorkQueue({ name, clock, metrics: metrics.queues, ...(partyOf && { partyOf }) });
  queues?.add(queue);
  const ends = sources.map((source) => source.subscribe((key) => queue.add(key)));
  try {
    await runWorkers(
      { queue, reconcile, workers, clock, log, onError: metrics.onReconcileError },
      signal,
      abandoned,
    );
  } finally {
    for (const end of ends) end();
    queues?.delete(queue);
  }
}
