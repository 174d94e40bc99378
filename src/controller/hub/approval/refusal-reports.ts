import type { Clock } from '../../../client/clock.ts';
import { Budgets } from '../../events/budgets.ts';
import type { EventRecorder } from '../../events/event-recorder.ts';
import type { ApiObject, Stored } from '../../../client/object.ts';
import type { Log } from '../../operation/log.ts';
import type { Controller, Source } from '../../queue/controller.ts';
import type { AddOnOnCluster } from '../../../ocm/agent-identity.ts';

/** A request without a certificate, with the reason. */
export interface Unserved {
  /** The requester, as far as it is verified: each has a separate budget. */
  readonly party: string;
  readonly request: Stored<ApiObject>;
  readonly claim: AddOnOnCluster;
  /** The ManagedClusterAddOn that gets an Event too, if any. */
  readonly addOn: Stored<ApiObject> | undefined;
  readonly reason: string;
  readonly message: string;
}

/** The refusals of a party that were not reported individually. */
interface Rest {
  /** Number of requests, by reason. */
  readonly counts: Map<string, number>;
  readonly since: number;
  latest: Unserved;
}

/** Maximum number of refusals of a party that are reported at once. The last one is reserved for the summary ... */
const burst = 20;
/** ... and one more each time after this number of milliseconds. Events about one object have the same budget. */
const refill = 300_000;
/** Milliseconds for which refusals are counted before the summary is reported. */
const gathering = 10_000;

/**
 * Reports refused requests in Events and in the log: the first of a party individually, and the following ones in a
 * summary with their number. The cost of a flood is bounded by time and not by the number of requests, and no party
 * uses the budget of another.
 */
export class RefusalReports implements Source {
  readonly #events: Pick<EventRecorder, 'record'>;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #budgets: Budgets;
  readonly #rest = new Map<string, Rest>();
  readonly #listeners = new Set<(party: string) => void>();

  constructor(events: Pick<EventRecorder, 'record'>, log: Log, clock: Clock) {
    this.#events = events;
    this.#log = log;
    this.#clock = clock;
    this.#budgets = new Budgets({ clock, burst, refill });
  }

  /** Reports a refusal, or counts it. */
  async report(unserved: Unserved): Promise<void> {
    const { party, request, claim, addOn, reason, message } = unserved;
    const { name } = request.metadata;
    const fields = { request: name, ...claim, reason, refused: message };
    // Counted refusals are reported before any later one.
    if (this.#rest.has(party) || !this.#budgets.take(party, 1)) {
      this.#log.debug(fields, refused);
      this.#count(unserved);
      return;
    }
    this.#log.warn(fields, refused);
    await this.#events.record(request, 'Warning', reason, message);
    if (addOn === undefined) return;
    await this.#events.record(addOn, 'Warning', reason, `${name}: ${message}`);
  }

  /** Reports how many refusals of a party were only counted. Returns how long to wait for that, in milliseconds. */
  async reportRest(party: string): Promise<number | undefined> {
    const rest = this.#rest.get(party);
    if (rest === undefined) return undefined;
    const early = rest.since + gathering - this.#clock.elapsed();
    if (early > 0) return early;
    if (!this.#budgets.take(party)) return this.#budgets.wait(party);
    this.#rest.delete(party);
    const counts = [...rest.counts].sort(([one], [other]) => (one < other ? -1 : 1));
    const sum = counts.reduce((all, [, count]) => all + count, 0);
    const { addOn, request } = rest.latest;
    const { name } = request.metadata;
    const message = `${sum} more, the latest ${name}: ${counts.map(([reason, count]) => `${reason} ${count}`).join(', ')}`;
    const fields = { party, requests: sum, reasons: Object.fromEntries(counts), latest: name };
    this.#log.warn(fields, 'certificate requests are not served');
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
    const rest = this.#rest.get(party);
    const { counts } = rest ?? { counts: new Map<string, number>() };
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
    if (rest !== undefined) {
      rest.latest = unserved;
      return;
    }
    this.#rest.set(party, { counts, since: this.#clock.elapsed(), latest: unserved });
    for (const listener of this.#listeners) listener(party);
  }
}

const refused = 'a certificate request is not served';

/** Reports the refused requests that were only counted. */
export function refusalSummaryController(refusalReports: RefusalReports): Controller {
  return {
    name: 'certificate-refusals',
    sources: [refusalReports],
    reconcile: async (party) => {
      const wait = await refusalReports.reportRest(party);
      return wait === undefined ? undefined : { requeueAfter: wait };
    },
  };
}
