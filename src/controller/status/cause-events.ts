import type { ApiClient } from '../../client/api-client.ts';
import { sentenceOf } from '../../client/api-error.ts';
import type { Clock } from '../../client/clock.ts';
import { managedClusterAddOns } from '../add-on/managed-cluster-add-ons.ts';
import { Budgets } from '../events/budgets.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import type { Log } from '../operation/log.ts';
import type { CauseChange } from './cause-history.ts';
import type { EventResult } from './reading-metrics.ts';

export interface CauseEventsOptions {
  readonly client: ApiClient;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly log: Log;
  readonly onEvents: (result: EventResult, count?: number) => void;
}

/** For all add-ons: this number of Events at once, and one more after each number of milliseconds. */
const ofAll = { burst: 500, refill: 600 };
/** The same for each add-on. Half of it is kept for warnings. */
const ofAddOn = { burst: 50, refill: 6000 };

/** The time after which the rest is dropped, in milliseconds: a slow hub must not delay the next reading. */
const patience = 60_000;

/** The order in which changes are reported, because not all may be. */
const urgency: readonly string[] = ['unhealthy', 'different', 'on the way'];

/**
 * Reports changes of causes as Events on ManagedClusterAddOns. A fault of the hub can change the causes of all clusters at once, so
 * Events are bounded for each add-on and for all. What is dropped is counted and logged.
 */
export class CauseEvents {
  readonly #options: CauseEventsOptions;
  readonly #all: Budgets;
  readonly #addOns: Budgets;

  constructor(options: CauseEventsOptions) {
    this.#options = options;
    this.#all = new Budgets({ clock: options.clock, ...ofAll });
    this.#addOns = new Budgets({ clock: options.clock, ...ofAddOn });
  }

  /** Returns when all are written or dropped, or the signal is aborted. */
  async report(changes: readonly CauseChange[], signal: AbortSignal): Promise<void> {
    const { clock, log, onEvents } = this.#options;
    const end = clock.elapsed() + patience;
    const dropped = new Map<string, number>();
    for (const change of inOrderOfUrgency(changes)) {
      if (signal.aborted) return;
      const mayReport = clock.elapsed() < end && this.#mayReport(change);
      const result = mayReport ? await this.#report(change) : 'dropped';
      if (result === 'dropped') dropped.set(change.addOn, (dropped.get(change.addOn) ?? 0) + 1);
      else if (result !== undefined) onEvents(result);
    }
    if (dropped.size === 0) return;
    const count = [...dropped.values()].reduce((sum, each) => sum + each, 0);
    onEvents('dropped', count);
    const [[addOn] = []] = [...dropped].sort(([, a], [, b]) => b - a);
    log.warn(
      { events: count, addOns: dropped.size, most: addOn },
      'too many causes changed: Events are dropped',
    );
  }

  #mayReport(change: CauseChange): boolean {
    const rest = isWarning(change) ? 0 : ofAddOn.burst / 2;
    return this.#all.wait('') === 0 && this.#addOns.take(change.addOn, rest) && this.#all.take('');
  }

  /**
   * Writes an Event about a change, and returns the result. Undefined if the add-on is gone or being deleted: nothing may be created
   * in a namespace that is being deleted.
   */
  async #report({
    addOn: name,
    cluster: namespace,
    ...change
  }: CauseChange): Promise<EventResult | undefined> {
    const { client, events, log } = this.#options;
    const { state, cause, before } = change;
    try {
      const addOn = await client.get(managedClusterAddOns, { name, namespace });
      if (addOn === undefined || addOn.metadata.deletionTimestamp !== undefined) return undefined;
      const message = `${state}${cause === undefined ? '' : `: ${cause.message}`} (before: ${before})`;
      const type = isWarning(change) ? 'Warning' : 'Normal';
      return await events.record(addOn, type, reasonOf(cause?.code ?? state), message);
    } catch (error) {
      log.warn({ addOn: name, cluster: namespace, error: sentenceOf(error) }, 'an Event was not written');
      return 'failed';
    }
  }
}

function inOrderOfUrgency(changes: readonly CauseChange[]): readonly CauseChange[] {
  const rank = ({ state }: CauseChange): number => {
    const position = urgency.indexOf(state);
    return position === -1 ? urgency.length : position;
  };
  return changes.toSorted((a, b) => rank(a) - rank(b));
}

function isWarning({ state }: Pick<CauseChange, 'state'>): boolean {
  return state === 'different' || state === 'unhealthy';
}

/** Returns `ManifestConflict` for `manifest-conflict`. */
function reasonOf(code: string): string {
  return code.replace(/(?:^|[- ])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
