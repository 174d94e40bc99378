import { timestamp, type Clock } from '../../client/clock.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { isNotFound, sentenceOf } from '../../client/api-error.ts';
import type { ApiObject, Stored } from '../../client/object.ts';
import { namespacedResource } from '../../client/resource.ts';
import type { Log } from '../operation/log.ts';
import { Budgets } from './budgets.ts';

/** An Event of the core group, which `kubectl describe` shows. */
export interface KubernetesEvent extends ApiObject {
  readonly involvedObject: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
  };
  readonly type: EventType;
  /** One word in camel case. */
  readonly reason: string;
  readonly message: string;
  readonly source: { readonly component: string };
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  readonly count: number;
  readonly reportingComponent: string;
  readonly reportingInstance: string;
}

export type EventType = 'Normal' | 'Warning';

/** An Event of any writer. */
type StoredEvent = ApiObject & Partial<Omit<KubernetesEvent, keyof ApiObject>>;

export const events = namespacedResource<StoredEvent>('v1', 'Event', 'events');

export interface EventRecorderOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly log: Log;
  /** The reporter: the name of the controller. */
  readonly component: string;
  /** The reporting replica. */
  readonly instance: string;
}

interface ReportedEvent {
  readonly name: string;
  readonly namespace: string;
  readonly at: number;
  count: number;
}

/** Maximum number of reported Events that are kept to count repetitions; the oldest is removed first. */
const mostRemembered = 4096;
/** After this time, in milliseconds, a repetition becomes a separate Event. */
const repetition = 600_000;
/** As client-go's spam filter: this number at once for an object, and one more after each number of milliseconds. */
const burst = 25;
const refill = 300_000;

/**
 * Reports to users what happened to an object. A repeated report increases the count of one Event. Too many reports
 * about one object are dropped. An Event that cannot be written is logged and is no error, and a busy server is not
 * retried: nothing may depend on Events, or wait for them.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #reported = new Map<string, ReportedEvent>();
  /** By the uids of objects. */
  readonly #budgets: Budgets;
  #sequence = 0;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#budgets = new Budgets({ clock: options.clock, burst, refill });
  }

  /**
   * Returns what became of the Event.
   *
   * @param message - at most 1,024 characters are kept
   */
  async record(
    about: Stored<ApiObject>,
    type: EventType,
    reason: string,
    message: string,
  ): Promise<'written' | 'dropped' | 'failed'> {
    const { client, clock, log } = this.#options;
    if (!this.#budgets.take(about.metadata.uid)) return 'dropped';
    const text = message.length > 1024 ? `${message.slice(0, 1023)}…` : message;
    const key = JSON.stringify([about.metadata.uid, type, reason, text]);
    try {
      const reported = this.#reported.get(key);
      if (reported !== undefined && clock.elapsed() - reported.at < repetition) {
        reported.count += 1;
        const patch = { count: reported.count, lastTimestamp: timestamp(clock.now()) };
        try {
          await client.merge(events, reported, patch, { once: true });
          return 'written';
        } catch (error) {
          // Events are removed after one hour.
          if (!isNotFound(error)) throw error;
        }
      }
      const event = this.#event(about, type, reason, text);
      this.#remember(key, { ...event.metadata, at: clock.elapsed(), count: 1 });
      await client.create(events, event, { once: true });
      return 'written';
    } catch (error) {
      log.warn({ reason, about: about.metadata.name, error: sentenceOf(error) }, 'an Event was not written');
      return 'failed';
    }
  }

  #remember(key: string, reported: ReportedEvent): void {
    this.#reported.delete(key);
    this.#reported.set(key, reported);
    if (this.#reported.size <= mostRemembered) return;
    for (const oldest of this.#reported.keys()) {
      this.#reported.delete(oldest);
      return;
    }
  }

  #event(about: Stored<ApiObject>, type: EventType, reason: string, message: string) {
    const { clock, component, instance } = this.#options;
    const { apiVersion, kind, metadata } = about;
    const time = timestamp(clock.now());
    this.#sequence += 1;
    // as client-go: the object's name and the time; two replicas never collide
    const unique = `${clock.now().toString(16)}${this.#sequence.toString(16)}`;
    return {
      apiVersion: events.apiVersion,
      kind: events.kind,
      // Events about objects without a namespace are in default.
      metadata: {
        name: `${metadata.name.slice(0, 200)}.${unique}`,
        namespace: metadata.namespace ?? 'default',
      },
      involvedObject: {
        apiVersion,
        kind,
        name: metadata.name,
        ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
        uid: metadata.uid,
        resourceVersion: metadata.resourceVersion,
      },
      type,
      reason,
      message,
      source: { component },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
      reportingComponent: component,
      reportingInstance: instance,
    } satisfies KubernetesEvent;
  }
}
