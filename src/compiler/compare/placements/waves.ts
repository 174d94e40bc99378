import type { ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import { ConfiguredState } from '../../rollout/simulation/configured-state.ts';
import type { AddOnState } from '../../rollout/simulation/add-on-state.ts';
import {
  freshState,
  released,
  succeeded,
  type ClusterState,
} from '../../rollout/simulation/cluster-state.ts';
import { rollout } from '../../rollout/rollout.ts';
import type { Rollout } from '../../rollout/simulation/simulate-rollout.ts';
import { some, type EarlyCluster, type Stop } from '../../rollout/stop.ts';
import type { Wave } from '../../rollout/wave.ts';
import type { ChangeGroup, ClusterAnswer } from '../change.ts';
import type { LabelCount } from '../cluster-labels.ts';
import type { Pair } from '../resolution-pair.ts';

/** Clusters of an add-on that change at the same time. */
export interface PlannedWave {
  /** The start of the wave if all soaks take their full time, in milliseconds after the change reaches the hub. */
  readonly after: number;
  /** The earliest start: the hub can end soaks early, depending on the agents. */
  readonly earliest: number;
  /** Sorted by name. */
  readonly clusters: readonly string[];
  /** Those whose API servers refuse the change, sorted by name. Absent if there are none. */
  readonly refusing?: readonly string[];
  /** The values of the labels by which the plan counts. Absent if it counts by none. */
  readonly labels?: readonly LabelCount[];
}

/** A point at which a rollout ends before all clusters were configured. */
export interface PlannedStop {
  /** The number of the wave, from 1, whose clusters hold it up. Absent if none of its clusters do. */
  readonly wave?: number;
  /** One sentence without a period. */
  readonly message: string;
  /** The clusters that keep their configuration, sorted by name. */
  readonly left: readonly string[];
  /** Those of `left` that change nevertheless if soaks end early. Absent if there are none. */
  readonly early?: readonly EarlyCluster[];
}

/** The order in which a change reaches the clusters of one add-on. */
export interface PlannedRollout {
  readonly waves: readonly PlannedWave[];
  readonly stops: readonly PlannedStop[];
  /**
   * Why it never completes although it reaches all clusters: some refuse the change. One sentence without a period.
   *
   * @default - it completes, or stops before
   */
  readonly incomplete?: string;
  /** Milliseconds after the change reaches the hub until the rollout is complete, if all soaks take their full time. */
  readonly finishedAfter: number;
  /** The same, if the hub ends soaks as early as it can. */
  readonly finishedEarliest: number;
  /** Whether the waves are those of a promotion, which also waits for its gates. @default false */
  readonly byPromotion?: true;
}

const none: PlannedRollout = { waves: [], stops: [], finishedAfter: 0, finishedEarliest: 0 };

const nobody: ReadonlySet<string> = new Set();

/** A time far enough in the past that all soaks of the base are over. */
const longAgo = 0;

/** An add-on of a plan, and the clusters whose API servers refuse its change. */
export interface ChangingAddOn {
  readonly addOn: string;
  readonly groups: readonly ChangeGroup[];
}

/**
 * Plans the rollouts of some add-ons from the base, fully rolled out, to the head. Assumes that agents succeed immediately, except on
 * clusters that refuse the change: their works are never applied.
 */
export function planRollouts(
  { base, head }: Pair,
  hub: HubVersion,
  addOns: readonly ChangingAddOn[],
): (addOn: string) => PlannedRollout {
  const { inventory, decisions, configuration } = head.resolution;
  const changed = new Set(addOns.map(({ addOn }) => addOn));
  const refusals = refusingByAddOn(addOns);
  // Add-ons do not wait for each other, so unchanged ones can be omitted.
  const changing = new Map([...configuration].filter(([name]) => changed.has(name)));
  const from = new Map(
    Array.from(changing.keys(), (name) => [name, rolledOut(base.resolution.configuration.get(name))]),
  );
  const input = { inventory, decisions, configuration: changing };
  const rollouts = rollout(input, { now: decisions.now, hub, from, refusals }).value;
  return (addOn) => {
    const simulated = rollouts.get(addOn);
    return simulated === undefined ? none : plannedRollout(simulated, refusals.get(addOn));
  };
}

function plannedRollout(simulated: Rollout, refusing: ReadonlySet<string> = nobody): PlannedRollout {
  const { waves, settledAfter, settledEarliest, refusing: reached = [] } = simulated;
  const stops = simulated.stops.filter(({ left }) => left.length > 0);
  const isIncomplete = stops.length === 0 && reached.length > 0;
  return {
    waves: waves.map(({ after, earliest, clusters }) => ({
      after,
      earliest,
      clusters,
      ...refusingAmong(clusters, refusing),
    })),
    stops: stops.map((stop) => {
      const { message, left, early } = stop;
      return { ...waveOf(stop, waves), message, left, ...(early && { early }) };
    }),
    ...(isIncomplete && { incomplete: `${some(reached)} ${refuse(reached.length)} the change` }),
    finishedAfter: settledAfter,
    finishedEarliest: settledEarliest,
  };
}

/** Returns the clusters of a wave that refuse the change. */
export function refusingAmong(
  clusters: readonly string[],
  refusing: ReadonlySet<string>,
): Pick<PlannedWave, 'refusing'> {
  if (refusing.size === 0) return {};
  const among = clusters.filter((cluster) => refusing.has(cluster));
  return among.length === 0 ? {} : { refusing: among };
}

function refuse(clusters: number): string {
  return clusters === 1 ? 'refuses' : 'refuse';
}

/** Returns the last wave that has a cluster which holds up the rollout. A cluster of another placement is in none of its waves. */
function waveOf({ reason, culprits }: Stop, waves: readonly Wave[]): Pick<PlannedStop, 'wave'> {
  if (reason === 'foreign cluster' || culprits.length === 0) return {};
  const blocking = new Set(culprits);
  const last = waves.findLastIndex(({ clusters }) => clusters.some((cluster) => blocking.has(cluster)));
  return last === -1 ? {} : { wave: last + 1 };
}

/** Returns the clusters whose API servers refuse the change, by add-on. Add-ons that no cluster refuses are missing. */
export function refusingByAddOn(addOns: readonly ChangingAddOn[]): ReadonlyMap<string, ReadonlySet<string>> {
  const refusals = new Map(addOns.map(({ addOn, groups }) => [addOn, refusingClusters(groups)]));
  return new Map([...refusals].filter(([, refusing]) => refusing.size > 0));
}

/** Returns the clusters whose API servers refuse a part of a change. */
function refusingClusters(groups: readonly ChangeGroup[]): ReadonlySet<string> {
  return new Set(
    groups.flatMap(({ clusters, answers }) => (answers?.some(isRefusal) === true ? clusters : [])),
  );
}

function isRefusal({ kind }: ClusterAnswer): boolean {
  return kind === 'refused';
}

/** Returns the state of the clusters after an add-on is rolled out. */
function rolledOut(addOn: ResolvedAddOn | undefined): AddOnState {
  if (addOn === undefined || !addOn.managed) return new Map<string, ClusterState>();
  return new ConfiguredState(addOn.clusters, ({ references }) =>
    succeeded(released(freshState, references), longAgo),
  );
}
