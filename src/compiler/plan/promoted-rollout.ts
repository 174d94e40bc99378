import { groupBy } from '../../base/collections/groups.ts';
import type { AddOnPlan } from '../compare/add-on-plan.ts';
import {
  refusingAmong,
  refusingByAddOn,
  type PlannedRollout,
  type PlannedStop,
  type PlannedWave,
} from '../compare/placements/waves.ts';
import { blamed, failedWords } from '../rollout/stop.ts';
import type { AddOnOnCluster, PromotedChange, PromotedPart, PromotedWave } from './promoted-change.ts';

/** The names of clusters by add-on. */
type ByAddOn = ReadonlyMap<string, ReadonlySet<string>>;

/** A wave that starts, in milliseconds after the merge at the earliest. */
interface StartedWave {
  readonly wave: PromotedWave;
  readonly after: number;
  /** When the next one can start. */
  readonly end: number;
}

/** Why the next wave never starts, or the release is never completed. */
interface Refusal {
  readonly culprits: readonly AddOnOnCluster[];
  /** The gate whose budget is exceeded. Absent if the release waits for clusters without a deadline. */
  readonly exceeded?: string;
}

const nobody: ReadonlySet<string> = new Set();

/**
 * The waves of a promotion up to the clusters that refuse the change. All add-ons of the app proceed together, so the clusters of one
 * hold up the others. As `decide`, which waits for clusters until their deadline and then compares the failed ones with the budget of
 * their gate.
 */
export class PromotedRollouts {
  readonly #refusing: ByAddOn;
  /** The clusters that the hub never starts, because its own rollout in their placement stops. */
  readonly #unreached: ByAddOn;
  readonly #started: readonly StartedWave[];
  /** The waves behind the refusal. */
  readonly #left: readonly PromotedWave[];
  readonly #refusal: Refusal | undefined;

  constructor({ waves, released }: PromotedChange, addOns: readonly AddOnPlan[]) {
    this.#refusing = refusingByAddOn(addOns);
    this.#unreached = unreachedByHub(addOns);
    const started: StartedWave[] = [];
    const parts = released.flatMap((wave) => wave.parts);
    let refusal = this.#refusalIn(parts);
    let delay = 0;
    for (const wave of waves) {
      if (wave.isOfChange && refusal !== undefined) break;
      const after = wave.after + delay;
      const duration = this.#durationOf(wave);
      started.push({ wave, after, end: after + duration });
      delay += duration - wave.soak;
      if (!wave.isOfChange) continue;
      parts.push(...wave.parts);
      refusal = this.#refusalIn(parts);
    }
    this.#started = started;
    this.#left = waves.slice(started.length);
    this.#refusal = refusal;
  }

  /** Returns the rollout of an add-on: the waves that start, and where they stop. */
  of(addOn: string): PlannedRollout {
    const reached = this.#started.flatMap(({ wave, after, end }) => {
      const clusters = clustersIn([wave], addOn);
      return clusters.length === 0 ? [] : [{ wave, clusters, after, end }];
    });
    const unreached = this.#unreachedIn(addOn);
    const refusing = this.#refusing.get(addOn) ?? nobody;
    const waves = reached.flatMap(({ wave, clusters, after }): PlannedWave[] => {
      const changing = wave.isOfChange ? clusters.filter((cluster) => !unreached.has(cluster)) : clusters;
      const among = wave.isOfChange ? refusingAmong(changing, refusing) : {};
      // `promote` itself waits for soaks.
      return changing.length === 0 ? [] : [{ after, earliest: after, clusters: changing, ...among }];
    });
    const finishedAfter = reached.at(-1)?.end ?? 0;
    return {
      waves,
      ...this.#endOf(addOn, waves, unreached),
      finishedAfter,
      finishedEarliest: finishedAfter,
      byPromotion: true,
    };
  }

  #endOf(
    addOn: string,
    waves: readonly PlannedWave[],
    unreached: ReadonlySet<string>,
  ): Pick<PlannedRollout, 'stops' | 'incomplete'> {
    if (this.#refusal === undefined) return { stops: [] };
    const message = refusalWords(this.#refusal, addOn);
    const left = [...clustersIn(this.#left, addOn), ...unreached].sort();
    if (left.length === 0) return { stops: [], incomplete: message };
    const isOwn = this.#refusal.culprits.some((culprit) => culprit.addOn === addOn);
    const wave = waves.findLastIndex(({ refusing = [] }) => refusing.length > 0) + 1;
    const stop: PlannedStop = { ...(isOwn && wave > 0 && { wave }), message, left };
    return { stops: [stop] };
  }

  /** Returns what holds up a release whose waves so far have these parts. */
  #refusalIn(parts: readonly PromotedPart[]): Refusal | undefined {
    const waiting: AddOnOnCluster[] = [];
    for (const [name, ofGate] of groupBy(parts, ({ gate }) => gate.name)) {
      const culprits = ofGate.flatMap((part) => this.#culpritsOf(part));
      const { deadline, maxFailures = Infinity } = ofGate[0]?.gate ?? {};
      if (deadline === undefined) waiting.push(...culprits);
      else if (culprits.length > maxFailures) return { culprits, exceeded: name };
    }
    return waiting.length === 0 ? undefined : { culprits: waiting };
  }

  #culpritsOf({ addOn, clusters, isByHub }: PromotedPart): readonly AddOnOnCluster[] {
    const refusing = this.#refusing.get(addOn) ?? nobody;
    if (refusing.size === 0) return [];
    const unreached = (isByHub ? this.#unreached.get(addOn) : undefined) ?? nobody;
    return clusters.flatMap((cluster) =>
      refusing.has(cluster) && !unreached.has(cluster) ? [{ addOn, cluster }] : [],
    );
  }

  /** Returns how long a wave takes at least: its soak, which begins with a healthy cluster, and the deadlines of those that refuse. */
  #durationOf({ parts, soak, isOfChange }: PromotedWave): number {
    if (!isOfChange || this.#refusing.size === 0) return soak;
    const failing = parts.map((part) => ({ part, count: this.#culpritsOf(part).length }));
    const isHealthy = failing.some(({ part, count }) => count < part.clusters.length);
    const deadlines = failing.map(({ part, count }) => (count === 0 ? 0 : (part.gate.deadline ?? 0)));
    return Math.max(isHealthy ? soak : 0, ...deadlines);
  }

  /** Returns the clusters of an add-on in waves that start, which the hub itself does not start. */
  #unreachedIn(addOn: string): ReadonlySet<string> {
    const unreached = this.#unreached.get(addOn) ?? nobody;
    if (this.#refusal === undefined || unreached.size === 0) return nobody;
    const byHub = this.#started.flatMap(({ wave }) => (wave.isOfChange ? [wave] : []));
    return new Set(clustersIn(byHub, addOn, true).filter((cluster) => unreached.has(cluster)));
  }
}

function clustersIn(waves: readonly PromotedWave[], addOn: string, onlyByHub = false): readonly string[] {
  return waves
    .flatMap(({ parts }) =>
      parts.flatMap((part) => (part.addOn === addOn && (part.isByHub || !onlyByHub) ? part.clusters : [])),
    )
    .sort();
}

function unreachedByHub(addOns: readonly AddOnPlan[]): ByAddOn {
  return new Map(
    addOns.map(({ addOn, rollout }) => [addOn, new Set(rollout.stops.flatMap(({ left }) => left))]),
  );
}

/** Returns why a promotion ends early, for a reader who looks at one of its add-ons. */
function refusalWords({ culprits, exceeded }: Refusal, addOn: string): string {
  const own = culprits.filter((culprit) => culprit.addOn === addOn);
  const [first] = own.length > 0 ? own : culprits;
  const ofAddOn = culprits.filter((culprit) => culprit.addOn === first?.addOn);
  const clusters = ofAddOn.map(({ cluster }) => cluster).sort();
  const prefix = own.length > 0 ? '' : `add-on ${JSON.stringify(first?.addOn)} on `;
  const refusing = new Set(clusters);
  return exceeded === undefined
    ? `the promotion waits for ${prefix}${blamed(clusters, refusing)}, and there is no progressDeadline`
    : `${prefix}${failedWords(clusters, refusing)}, more than the strategy of ${exceeded} allows`;
}
