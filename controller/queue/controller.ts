import type { Change } from '../cache/informer.ts';
import type { Clock } from '../clock.ts';
import type { ApiObject, ObjectKey } from '../kube/object.ts';
import type { Log } from '../operation/log.ts';
import type { QueueMetrics } from './work-queue.ts';
import { WorkQueue } from './work-queue.ts';
import { runWorkers, type Reconcile } from './workers.ts';

/** What brings keys into a queue. */
export interface Source {
  /**
   * Calls `enqueue` with all keys that there are, and from now on with those that may need work.
   *
   * @returns how to end that
   */
  subscribe(enqueue: (key: ObjectKey) => void): () => void;
}

/** The objects of an informer: `keys` says what is to be looked at when one changes. */
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

/** A reconciler with what it works on. */
export interface Controller {
  /** Names its queue in logs and metrics. */
  readonly name: string;
  readonly sources: readonly Source[];
  readonly reconcile: Reconcile;
  /** Keys at a time. @default 4 */
  readonly workers?: number;
  /** The party that a key belongs to, as that of the work queue. @default - its namespace */
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
  /** Holds the queues that are worked on, for whoever looks whether that goes on. */
  readonly queues?: Set<WorkQueue>;
}

/**
 * Runs controllers until the signal is aborted, each with a queue of its own that begins with all keys there are. Caches
 * must be synced before. Returns when the work that was under way is over.
 *
 * @param abandoned - as that of `runWorkers`
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
      { queue, reconcile, workers, log, onError: metrics.onReconcileError },
      signal,
      abandoned,
    );
  } finally {
    for (const end of ends) end();
    queues?.delete(queue);
  }
}
