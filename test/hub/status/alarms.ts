import { setTimeout as delay } from 'node:timers/promises';
import type { FleetStatus } from '../../../src/compiler/index.ts';

interface Span {
  readonly from: number;
  /** Infinity while it lasts. */
  to: number;
}

interface Alarm extends Span {
  readonly text: string;
  /** Only for a cause that is right while Git has an unapplied change. */
  readonly unapplied?: string;
}

/** Follows `status`, and collects what it reports although nothing is wrong. */
export class Alarms {
  readonly #unapplied = new Map<string, Span[]>();
  readonly #unreachable: Span[] = [];
  readonly #alarms: Alarm[] = [];
  readonly #causes = new Map<string, number>();
  #readings = 0;
  #failures = 0;

  /** Runs a change of an add-on that makes Git and the hub differ until its end. */
  async whileUnapplied(addOn: string, change: () => Promise<void>): Promise<void> {
    const spans = this.#unapplied.get(addOn) ?? [];
    this.#unapplied.set(addOn, spans);
    await during(spans, change);
  }

  /** Runs something during which the hub cannot be read. */
  async whileUnreachable(change: () => Promise<void>): Promise<void> {
    await during(this.#unreachable, change);
  }

  /** Reads again and again until the signal aborts. */
  async read(status: () => Promise<FleetStatus>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const from = Date.now();
      try {
        const { addOns } = await status();
        this.#readings += 1;
        const to = Date.now();
        for (const { addOn, classes } of addOns)
          for (const { state, cause, clusters } of classes) {
            this.#causes.set(cause.code, (this.#causes.get(cause.code) ?? 0) + 1);
            if (state === 'on the way') continue;
            const text = `${addOn} on ${clusters.join(', ')}: ${cause.code}: ${cause.message}`;
            const unapplied = cause.code === 'git-not-applied' ? { unapplied: addOn } : {};
            this.#alarms.push({ from, to, text, ...unapplied });
          }
      } catch (error) {
        this.#failures += 1;
        this.#alarms.push({ from, to: Date.now(), text: String(error) });
      }
      await delay(100);
    }
  }

  /** Returns what was reported without a reason, with the time. */
  falseAlarms(): readonly string[] {
    return this.#alarms
      .filter((alarm) => {
        const { unapplied, text } = alarm;
        const reasons = unapplied === undefined ? [] : (this.#unapplied.get(unapplied) ?? []);
        const isUnreachable = text.startsWith('Error') && overlaps(alarm, this.#unreachable);
        return !isUnreachable && !overlaps(alarm, reasons);
      })
      .map(({ from, to, text }) => `${new Date(from).toISOString()} (${to - from} ms) ${text}`);
  }

  /** Returns the numbers of readings, of those that failed, and of reports of each cause. */
  figures(): object {
    return { readings: this.#readings, failures: this.#failures, causes: Object.fromEntries(this.#causes) };
  }
}

async function during(spans: Span[], change: () => Promise<void>): Promise<void> {
  const span = { from: Date.now(), to: Infinity };
  spans.push(span);
  try {
    await change();
  } finally {
    span.to = Date.now();
  }
}

function overlaps({ from, to }: Span, spans: readonly Span[]): boolean {
  return spans.some((span) => span.from <= to && from <= span.to);
}
