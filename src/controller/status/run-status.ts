import { ApiClient } from '../../client/api-client.ts';
import { sentenceOf } from '../../client/api-error.ts';
import type { Clock } from '../../client/clock.ts';
import type { Transport } from '../../client/transport.ts';
import { statusReporter } from '../../ocm/companion-binding.ts';
import { EventRecorder } from '../events/event-recorder.ts';
import { health } from '../operation/health.ts';
import { serve } from '../operation/http-server.ts';
import type { Log } from '../operation/log.ts';
import { Metrics } from '../operation/metrics.ts';
import { CauseEvents } from './cause-events.ts';
import { CauseHistory } from './cause-history.ts';
import { Freshness } from './freshness.ts';
import { ReadingMetrics } from './reading-metrics.ts';
import { ReadingError, type Read, type Reading } from './reading.ts';
import type { StatusSettings } from './status-settings.ts';

export interface StatusRun {
  readonly settings: StatusSettings;
  readonly read: Read;
  /** The transport to the hub for Events. @default - Events are not reported */
  readonly transport?: Transport | undefined;
  /** The unique identity of this process. */
  readonly identity: string;
  readonly clock: Clock;
  readonly log: Log;
  /** @default new ones, with those of the process */
  readonly metrics?: Metrics;
}

/**
 * Runs `controller status` until the signal is aborted: compares the hub with its prediction again and again, and reports the
 * result as metrics and Events. A reading that fails leaves the last values.
 */
export async function runStatus(run: StatusRun, signal: AbortSignal): Promise<void> {
  const { settings, transport, clock, log } = run;
  const metrics = run.metrics ?? new Metrics();
  const freshness = new Freshness(clock, settings.staleAfter);
  const readings = new Readings(run, metrics, freshness);
  const server = await serve({
    listen: settings.listen,
    healthy: health([() => freshness.liveness], log),
    ready: () => (signal.aborted ? 'the controller stops' : freshness.readiness),
    registry: metrics.registry,
  });
  log.info({ port: server.port, events: settings.events, workspace: settings.workspace }, 'started');
  try {
    while (!signal.aborted) {
      const startedAt = clock.elapsed();
      freshness.began();
      await readings.next(signal);
      // As `status --watch`: the hub rests four times as long as it is read.
      await clock.sleep(Math.max(settings.interval, 4 * (clock.elapsed() - startedAt)), signal);
    }
  } finally {
    await server.close();
    transport?.close();
  }
  log.info({}, 'stopped');
}

/** The readings of one process, one after the other. */
class Readings {
  readonly #run: StatusRun;
  readonly #metrics: ReadingMetrics;
  readonly #freshness: Freshness;
  readonly #history = new CauseHistory();
  readonly #events: CauseEvents | undefined;
  /** The description of what is incomplete that was logged last. */
  #reported = '';

  constructor(run: StatusRun, metrics: Metrics, freshness: Freshness) {
    const { transport, clock, log, identity, settings } = run;
    this.#run = run;
    this.#metrics = new ReadingMetrics(metrics, settings.maxAddOns);
    this.#freshness = freshness;
    if (transport === undefined) return;
    const { onRequest } = metrics;
    const client = new ApiClient(transport, { clock, fieldManager: statusReporter, onRequest });
    const events = new EventRecorder({ client, clock, log, component: statusReporter, instance: identity });
    this.#events = new CauseEvents({ client, events, clock, log, onEvents: this.#metrics.onEvents });
  }

  /** Reads once. A failure is reported, and is no error. */
  async next(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#run;
    const startedAt = clock.elapsed();
    try {
      const reading = await this.#read(signal);
      const now = clock.now();
      const duration = clock.elapsed() - startedAt;
      const { changes, oldest } = this.#history.add(reading, now);
      this.#metrics.set(reading, oldest, { now, duration });
      this.#freshness.succeeded();
      this.#reportIncomplete(reading);
      log.debug({ addOns: reading.addOns.length, changes: changes.length, ms: Math.round(duration) }, 'read');
      await this.#events?.report(changes, signal);
    } catch (error) {
      if (signal.aborted) return;
      const reason = error instanceof ReadingError ? error.reason : 'other';
      this.#metrics.failed(reason);
      this.#freshness.failed(sentenceOf(error));
      log.error({ reason, error: sentenceOf(error) }, 'the reading failed: the last values remain');
    }
  }

  /** Ends a reading that takes as long as its result would be fresh. */
  async #read(signal: AbortSignal): Promise<Reading> {
    const { read, clock, settings } = this.#run;
    const ended = new AbortController();
    const late = new AbortController();
    const timer = clock.sleep(settings.staleAfter, ended.signal).then(() => late.abort());
    try {
      return await read(AbortSignal.any([signal, late.signal]));
    } catch (error) {
      if (!late.signal.aborted) throw error;
      throw new ReadingError('timeout', `it took more than ${settings.staleAfter / 1000} s`);
    } finally {
      ended.abort();
      await timer;
    }
  }

  /** Logs what the values do not contain, when that changes. */
  #reportIncomplete({ addOns, unread, notInGit }: Reading): void {
    const { log, settings } = this.#run;
    const summed = Math.max(0, addOns.length - settings.maxAddOns);
    const first = notInGit.slice(0, 10);
    const description = JSON.stringify([unread, notInGit.length, first, summed]);
    if (description === this.#reported) return;
    this.#reported = description;
    if (unread.length > 0)
      log.warn({ kinds: unread }, 'the permissions do not allow to read these kinds: causes are less exact');
    if (notInGit.length > 0)
      log.warn({ addOns: notInGit.length, first }, 'only the hub has these add-ons: they are not compared');
    if (summed > 0)
      log.warn({ addOns: summed, maxAddOns: settings.maxAddOns }, 'these add-ons have no separate metrics');
  }
}
