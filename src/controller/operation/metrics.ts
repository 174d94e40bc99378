import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { InformerMetrics } from '../cache/informer.ts';
import type { RequestReport } from '../../client/api-calls.ts';
import type { QueueMetrics } from '../queue/work-queue.ts';

/** From 1 ms to about a minute, in seconds. */
const durations = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60];

/** All metrics, for Prometheus. Their names are documented in docs/controller.md. */
export class Metrics {
  readonly registry = new Registry();
  readonly #registers = [this.registry];
  readonly #requests = this.counter('api_requests_total', 'Requests to the API server', [
    'verb',
    'resource',
    'code',
  ]);
  readonly #requestSeconds = this.histogram('api_request_seconds', 'Time until they were answered', ['verb']);
  readonly #depth = this.gauge('queue_depth', 'Keys that wait', ['queue']);
  readonly #adds = this.counter('queue_adds_total', 'Keys that were added', ['queue']);
  readonly #retries = this.counter('queue_retries_total', 'Keys that were added again after a failure', [
    'queue',
  ]);
  readonly #waits = this.histogram('queue_wait_seconds', 'How long keys waited', ['queue']);
  readonly #work = this.histogram('reconcile_seconds', 'How long the work on keys took', ['queue']);
  readonly #errors = this.counter('reconcile_errors_total', 'Reconciliations that failed', [
    'queue',
    'terminal',
  ]);
  readonly #objects = this.gauge('cache_objects', 'Objects in the caches', ['resource']);
  readonly #depths = new SummedGauge((queue, keys) => this.#depth.set({ queue }, keys));
  readonly #cached = new SummedGauge((resource, number) => this.#objects.set({ resource }, number));
  readonly #lists = this.counter('cache_lists_total', 'Initial lists of caches', ['resource']);
  readonly #watches = this.counter('cache_watches_total', 'Watches that caches started', ['resource']);
  readonly #cacheFailures = this.counter('cache_failures_total', 'Lists and watches that failed', [
    'resource',
  ]);
  readonly #skew = this.gauge(
    'clock_skew_seconds',
    'How far the clock is ahead of that of the API server',
    [],
  );
  readonly #leader = this.gauge('leader', '1 while this replica leads', []);
  readonly #shards = this.gauge('shards', 'Shards that this replica serves', []);

  /** @param defaults - whether to report memory, processor time and the event loop too */
  constructor(defaults = true) {
    if (defaults) collectDefaultMetrics({ register: this.registry });
    this.#leader.set(0);
    this.#shards.set(0);
  }

  counter<L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> {
    return new Counter({ name: `fleetwright_${name}`, help, labelNames, registers: this.#registers });
  }

  gauge<L extends string>(name: string, help: string, labelNames: readonly L[]): Gauge<L> {
    return new Gauge({ name: `fleetwright_${name}`, help, labelNames, registers: this.#registers });
  }

  histogram<L extends string>(name: string, help: string, labelNames: readonly L[]): Histogram<L> {
    const configuration = { name: `fleetwright_${name}`, help, labelNames, buckets: durations };
    return new Histogram({ ...configuration, registers: this.#registers });
  }

  readonly onRequest = ({ verb, resource, code, seconds }: Omit<RequestReport, 'clockSkew'>): void => {
    this.#requests.inc({ verb, resource, code: String(code) });
    this.#requestSeconds.observe({ verb }, seconds);
  };

  readonly onClockSkew = (seconds: number): void => {
    this.#skew.set(seconds);
  };

  /** @param shards - the number of shards that this replica serves; 1 if there is only one and it leads */
  readonly onShards = (shards: number): void => {
    this.#leader.set(shards > 0 ? 1 : 0);
    this.#shards.set(shards);
  };

  /** Returns the metrics of the caches and queues of one shard. What is present now is summed over the shards of this process. */
  ofShard(): ShardMetrics {
    const depth = this.#depths.part();
    const objects = this.#cached.part();
    return {
      queues: {
        depth: (queue, keys) => depth.set(queue, keys),
        added: (queue) => this.#adds.inc({ queue }),
        retried: (queue) => this.#retries.inc({ queue }),
        waited: (queue, seconds) => this.#waits.observe({ queue }, seconds),
        worked: (queue, seconds) => this.#work.observe({ queue }, seconds),
      },
      informers: {
        began: (resource, verb) => (verb === 'list' ? this.#lists : this.#watches).inc({ resource }),
        failed: (resource) => this.#cacheFailures.inc({ resource }),
        cached: (resource, number) => objects.set(resource, number),
      },
      announceQueue: (queue) => {
        depth.set(queue, 0);
        this.#adds.inc({ queue }, 0);
        this.#retries.inc({ queue }, 0);
        for (const terminal of ['true', 'false']) this.#errors.inc({ queue, terminal }, 0);
      },
      onReconcileError: (queue, terminal) => this.#errors.inc({ queue, terminal: String(terminal) }),
      end: () => {
        depth.end();
        objects.end();
      },
    };
  }
}

/** The metrics of the caches and queues of one shard. */
export interface ShardMetrics {
  readonly queues: QueueMetrics;
  readonly informers: InformerMetrics;
  /** Counts of a queue begin at 0, so that rates are correct from the start. */
  readonly announceQueue: (queue: string) => void;
  readonly onReconcileError: (queue: string, terminal: boolean) => void;
  /** Removes what the shard had from the sums. */
  readonly end: () => void;
}

/** A gauge whose values are sums over several parts. */
class SummedGauge {
  readonly #report: (label: string, sum: number) => void;
  readonly #sums = new Map<string, number>();

  constructor(report: (label: string, sum: number) => void) {
    this.#report = report;
  }

  part(): { set(label: string, value: number): void; end(): void } {
    const values = new Map<string, number>();
    const set = (label: string, value: number): void => {
      const sum = (this.#sums.get(label) ?? 0) + value - (values.get(label) ?? 0);
      values.set(label, value);
      this.#sums.set(label, sum);
      this.#report(label, sum);
    };
    return { set, end: () => [...values.keys()].forEach((label) => set(label, 0)) };
  }
}
