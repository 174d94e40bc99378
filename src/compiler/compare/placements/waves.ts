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
import type { EarlyCluster } from '../../rollout/stop.ts';
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
  /** The values of the labels by which the plan counts. Absent if it counts by none. */
  readonly labels?: readonly LabelCount[];
}

/** A point at which a rollout ends before all clusters were configured. */
export interface PlannedStop {
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
  /** Milliseconds after the change reaches the hub until the rollout is complete, if all soaks take their full time. */
  readonly finishedAfter: number;
  /** The same, if the hub ends soaks as early as it can. */
  readonly finishedEarliest: number;
  /** Whether the waves are those of a promotion, which also waits for its gates. @default false */
  readonly byPromotion?: true;
}

const none: PlannedRollout = { waves: [], stops: [], finishedAfter: 0, finishedEarliest: 0 };

/** A time far enough in the past that all soaks of the base are over. */
const longAgo = 0;

/** An add-on of a plan, and the clusters whose API servers refuse its change. */
interface ChangingAddOn {
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
  const refusing = new Map(addOns.map(({ addOn, groups }) => [addOn, refusingClusters(groups)]));
  // Add-ons do not wait for each other, so unchanged ones can be omitted.
  const changing = new Map([...configuration].filter(([name]) => refusing.has(name)));
  const from = new Map(
    Array.from(changing.keys(), (name) => [name, rolledOut(base.resolution.configuration.get(name))]),
  );
  const input = { inventory, decisions, configuration: changing };
  const options = { now: decisions.now, hub, from };
  const rollouts = new Map(rollout(input, options).value);
  for (const [addOn, failing] of refusing) {
    const resolved = configuration.get(addOn);
    if (failing.size === 0 || resolved === undefined) continue;
    const alone = { inventory, decisions, configuration: new Map([[addOn, resolved]]) };
    for (const [name, each] of rollout(alone, { ...options, failing }).value) rollouts.set(name, each);
  }
  return (addOn) => {
    const simulated = rollouts.get(addOn);
    if (simulated === undefined) return none;
    return {
      waves: simulated.waves.map(({ after, earliest, clusters }) => ({ after, earliest, clusters })),
      stops: simulated.stops
        .filter(({ left }) => left.length > 0)
        .map(({ message, left, early }) => ({ message, left, ...(early && { early }) })),
      finishedAfter: simulated.settledAfter,
      finishedEarliest: simulated.settledEarliest,
    };
  };
}

/** Returns the clusters whose API servers refuse a part of a change. */
export function refusingClusters(groups: readonly ChangeGroup[]): ReadonlySet<string> {
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
