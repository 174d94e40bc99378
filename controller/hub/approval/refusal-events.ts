import type { Clock } from '../../clock.ts';
import { Budgets } from '../../events/budgets.ts';
import type { EventRecorder } from '../../events/event-recorder.ts';
import type { ApiObject, Stored } from '../../kube/object.ts';
import type { Controller, Source } from '../../queue/controller.ts';

/** A request that has no certificate, and why. */
export interface Unserved {
  /** Who asks, as far as that is certain: with each of them there is a budget of its own. */
  readonly party: string;
  readonly request: Stored<ApiObject>;
  /** The ManagedClusterAddOn that is told too, if any. */
  readonly addOn: Stored<ApiObject> | undefined;
  readonly reason: string;
  readonly message: string;
}

/** What of a party was not told one by one. */
interface Rest {
  /** How many, by reason. */
  readonly counts: Map<string, number>;
  readonly since: number;
  latest: Unserved;
}

/** So many refusals of a party are told at once, the last place being for how many more there were ... */
const burst = 20;
/** ... and one more in so many milliseconds. For the add-on that is just what may be told of any object. */
const refill = 300_000;
/** So long refusals are counted before it is told how many there were, in milliseconds. */
const gathering = 10_000;

/**
 * Tells of refused requests in Events: the first of a party one by one, and of those that follow how many there were. So
 * the Events that a flood of requests costs are bounded by time and not by the requests, and whoever sends it takes
 * nothing from others.
 */
export class RefusalEvents implements Source {
  readonly #events: Pick<EventRecorder, 'record'>;
  readonly #clock: Clock;
  readonly #budgets: Budgets;
  readonly #rest = new Map<string, Rest>();
  readonly #listeners = new Set<(party: string) => void>();

  constructor(events: Pick<EventRecorder, 'record'>, clock: Clock) {
    this.#events = events;
    this.#clock = clock;
    this.#budgets = new Budgets({ clock, burst, refill });
  }

  /** Tells of a refusal, or counts it. */
  async tell(unserved: Unserved): Promise<void> {
    const { party, request, addOn, reason, message } = unserved;
    // What was counted is told before anything that came later.
    if (this.#rest.has(party) || !this.#budgets.take(party, 1)) return this.#count(unserved);
    await this.#events.record(request, 'Warning', reason, message);
    if (addOn === undefined) return;
    await this.#events.record(addOn, 'Warning', reason, `${request.metadata.name}: ${message}`);
  }

  /** Tells how many of a party were only counted. Returns how long to wait for that, in milliseconds. */
  async tellRest(party: string): Promise<number | undefined> {
    const rest = this.#rest.get(party);
    if (rest === undefined) return undefined;
    const early = rest.since + gathering - this.#clock.elapsed();
    if (early > 0) return early;
    if (!this.#budgets.take(party)) return this.#budgets.wait(party);
    this.#rest.delete(party);
    const counts = [...rest.counts].sort(([one], [other]) => (one < other ? -1 : 1));
    const sum = counts.reduce((all, [, count]) => all + count, 0);
    const { addOn, request } = rest.latest;
    const message = `${sum} more, the latest ${request.metadata.name}: ${counts.map(([reason, count]) => `${reason} ${count}`).join(', ')}`;
    await this.#events.record(addOn ?? request, 'Warning', 'RequestsRefused', message);
    return undefined;
  }

  subscribe(enqueue: (party: string) => void): () => void {
    this.#listeners.add(enqueue);
    for (const party of this.#rest.keys()) enqueue(party);
    return () => this.#listeners.delete(enqueue);
  }

  #count(unserved: Unserved): void {
    const { party, reason } = unserved;
    const known = this.#rest.get(party);
    const { counts } = known ?? { counts: new Map<string, number>() };
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
    if (known !== undefined) {
      known.latest = unserved;
      return;
    }
    this.#rest.set(party, { counts, since: this.#clock.elapsed(), latest: unserved });
    for (const listener of this.#listeners) listener(party);
  }
}

/** Tells of the refused requests that were only counted. */
export function refusalSummaryController(refusalEvents: RefusalEvents): Controller {
  return {
    name: 'certificate-refusals',
    sources: [refusalEvents],
    reconcile: async (party) => {
      const wait = await refusalEvents.tellRest(party);
      return wait === undefined ? undefined : { requeueAfter: wait };
    },
  };
}
