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

  /** @param defaults - whether to report memory, processor time and the event loop too */
  constructor(defaults = true) {
    if (defaults) collectDefaultMetrics({ register: this.registry });
    this.#leader.set(0);
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

  /** Counts of a queue begin at 0, so that rates are correct from the start. */
  announceQueue(queue: string): void {
    this.#depth.set({ queue }, 0);
    this.#adds.inc({ queue }, 0);
    this.#retries.inc({ queue }, 0);
    for (const terminal of ['true', 'false']) this.#errors.inc({ queue, terminal }, 0);
  }

  readonly onRequest = ({ verb, resource, code, seconds }: Omit<RequestReport, 'clockSkew'>): void => {
    this.#requests.inc({ verb, resource, code: String(code) });
    this.#requestSeconds.observe({ verb }, seconds);
  };

  readonly onReconcileError = (queue: string, terminal: boolean): void => {
    this.#errors.inc({ queue, terminal: String(terminal) });
  };

  readonly onClockSkew = (seconds: number): void => {
    this.#skew.set(seconds);
  };

  readonly onLeadership = (leads: boolean): void => {
    this.#leader.set(leads ? 1 : 0);
  };

  readonly queues: QueueMetrics = {
    depth: (queue, keys) => this.#depth.set({ queue }, keys),
    added: (queue) => this.#adds.inc({ queue }),
    retried: (queue) => this.#retries.inc({ queue }),
    waited: (queue, seconds) => this.#waits.observe({ queue }, seconds),
    worked: (queue, seconds) => this.#work.observe({ queue }, seconds),
  };

  readonly informers: InformerMetrics = {
    began: (resource, verb) => (verb === 'list' ? this.#lists : this.#watches).inc({ resource }),
    failed: (resource) => this.#cacheFailures.inc({ resource }),
    cached: (resource, objects) => this.#objects.set({ resource }, objects),
  };
}
