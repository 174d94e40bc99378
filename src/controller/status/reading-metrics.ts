import type { Metrics } from '../operation/metrics.ts';
import type { OldestTimes } from './cause-history.ts';
import { readingFailures, type ReadingFailure, type Reading } from './reading.ts';

/** The label value of the add-ons beyond the maximum, which no add-on can have as its name. */
export const otherAddOns = '_other';

/** What became of an Event: dropped because there were too many. */
export const eventResults = ['written', 'dropped', 'failed'] as const;
export type EventResult = (typeof eventResults)[number];

/** The metrics of the comparison. All labels have bounded values: no label names a cluster. */
export class ReadingMetrics {
  readonly #maxAddOns: number;
  readonly #clusters;
  readonly #causes;
  readonly #oldest;
  readonly #addOns;
  readonly #uncompared;
  readonly #unread;
  readonly #success;
  readonly #duration;
  readonly #failures;
  readonly #events;

  /** @param maxAddOns - the number of add-ons with separate series */
  constructor(metrics: Metrics, maxAddOns: number) {
    this.#maxAddOns = maxAddOns;
    this.#clusters = metrics.gauge(
      'predicted_add_on_clusters',
      'Clusters of an add-on in each state, compared with the prediction',
      ['add_on', 'state'],
    );
    this.#causes = metrics.gauge(
      'predicted_cause_clusters',
      'Clusters of an add-on that are not as predicted, by their first cause',
      ['add_on', 'state', 'cause'],
    );
    this.#oldest = metrics.gauge(
      'predicted_cause_since_timestamp_seconds',
      'Earliest time since which a cluster with this cause is in its state, since the epoch',
      ['add_on', 'state', 'cause'],
    );
    this.#addOns = metrics.gauge('predicted_add_ons', 'Add-ons that are compared, by their series', [
      'series',
    ]);
    this.#uncompared = metrics.gauge(
      'predicted_uncompared_add_ons',
      'Add-ons that are not compared, because only the hub has them',
      [],
    );
    this.#unread = metrics.gauge(
      'predicted_unread_kinds',
      'Kinds that the permissions do not allow to read; causes are less exact',
      [],
    );
    this.#success = metrics.gauge(
      'predicted_last_success_timestamp_seconds',
      'Time of the last successful reading, since the epoch; 0 before the first one',
      [],
    );
    this.#duration = metrics.gauge(
      'predicted_reading_duration_seconds',
      'Duration of the last successful reading',
      [],
    );
    this.#failures = metrics.counter('predicted_reading_failures_total', 'Readings that failed', ['reason']);
    this.#events = metrics.counter('predicted_events_total', 'Events about changes of causes', ['result']);
    // Counts begin at 0, so that rates are correct from the start.
    for (const reason of readingFailures) this.#failures.inc({ reason }, 0);
    for (const result of eventResults) this.#events.inc({ result }, 0);
    this.#success.set(0);
  }

  /**
   * Replaces all values, so that the series of add-ons and causes that are gone disappear.
   *
   * @param times - `now` in milliseconds since the epoch; `duration` in milliseconds
   */
  set(reading: Reading, oldest: OldestTimes, { now, duration }: { now: number; duration: number }): void {
    for (const gauge of [this.#clusters, this.#causes, this.#oldest, this.#addOns]) gauge.reset();
    const sorted = reading.addOns.toSorted((a, b) => (a.addOn < b.addOn ? -1 : 1));
    const earliest = new Map<string, number>();
    for (const [index, { addOn, counts, classes }] of sorted.entries()) {
      const label = { add_on: index < this.#maxAddOns ? addOn : otherAddOns };
      for (const [state, count] of Object.entries(counts))
        this.#clusters.inc({ ...label, state: labelOf(state) }, count);
      for (const { state, cause, clusters } of classes) {
        const ofCause = { ...label, state: labelOf(state), cause: cause.code };
        this.#causes.inc(ofCause, clusters.length);
        const key = `${label.add_on} ${cause.code}`;
        const time = Math.min(oldest.get(addOn)?.get(cause.code) ?? now, earliest.get(key) ?? Infinity);
        earliest.set(key, time);
        this.#oldest.set(ofCause, time / 1000);
      }
    }
    const separate = Math.min(sorted.length, this.#maxAddOns);
    this.#addOns.set({ series: 'separate' }, separate);
    this.#addOns.set({ series: 'other' }, sorted.length - separate);
    this.#uncompared.set(reading.notInGit.length);
    this.#unread.set(reading.unread.length);
    this.#success.set(now / 1000);
    this.#duration.set(duration / 1000);
  }

  failed(reason: ReadingFailure): void {
    this.#failures.inc({ reason });
  }

  readonly onEvents = (result: EventResult, count = 1): void => {
    this.#events.inc({ result }, count);
  };
}

/** Returns `on-the-way` for `on the way`. */
function labelOf(state: string): string {
  return state.replaceAll(' ', '-');
}
