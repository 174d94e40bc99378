import { goJson } from '../../../base/json/go-json.ts';
import { asGoWrites } from '../../admit/conversion/as-converted.ts';
import { installPlacements, isInstalledByPlacements } from '../../../ocm/install-strategy.ts';
import type {
  ConfigReference,
  EffectiveConfiguration,
  ResolvedAddOn,
} from '../../configure/resolved-add-on.ts';
import { objectKey } from '../../model/inventory.ts';
import type { Location } from '../../model/origin.ts';
import {
  freshState,
  released,
  succeeded,
  type ClusterState,
} from '../../rollout/simulation/cluster-state.ts';
import { ConfiguredState } from '../../rollout/simulation/configured-state.ts';
import type { AddOnState } from '../../rollout/simulation/add-on-state.ts';
import { rollout, type Rollouts } from '../../rollout/rollout.ts';
import type { Side } from '../change.ts';
import type { Pair, State } from '../resolution-pair.ts';

/** A placement of an install strategy whose later changes roll out differently. */
export interface StrategyChange {
  /** `namespace/name`. */
  readonly placement: string;
  readonly before: StrategyReach;
  readonly after: StrategyReach;
  readonly side: Side;
  readonly location?: Location;
}

/** How the next change to the configuration of a placement's clusters reaches them, if every agent succeeds immediately. */
export interface StrategyReach {
  /** The number of clusters whose rollout the placement leads. */
  readonly clusters: number;
  /** The number of clusters that change in each wave. */
  readonly waves: readonly number[];
  /** The number of clusters that the rollout never reaches. */
  readonly left: number;
  /** The start of the last wave if all soaks take their full time, in milliseconds after the change reaches the hub. */
  readonly lastWaveAfter: number;
  /** The earliest start of the last wave. */
  readonly lastWaveEarliest: number;
}

/**
 * Returns the placements of one add-on whose rollout strategy or decision groups were edited, with the effect on the next change.
 * The rollout of such a change is computed only for these placements.
 */
export function compareStrategies(addOn: string, pair: Pair): StrategyChange[] {
  if (hasSameStrategies(addOn, pair)) return [];
  const [before, after] = [strategiesOf(addOn, pair.base), strategiesOf(addOn, pair.head)];
  const changed = [...after].filter(([placement, { text }]) => {
    const earlier = before.get(placement);
    return earlier !== undefined && earlier.text !== text;
  });
  if (changed.length === 0) return [];
  const [from, to] = [nextChange(addOn, pair, pair.base), nextChange(addOn, pair, pair.head)];
  return changed.map(([placement, { location }]) => ({
    placement,
    before: from(placement),
    after: to(placement),
    side: 'head' as const,
    ...(location && { location }),
  }));
}

/** Whether both states have the same objects with strategies, so that nothing needs to be compared. */
function hasSameStrategies(addOn: string, pair: Pair): boolean {
  const [before, after] = [pair.base.resolution, pair.head.resolution].map(
    ({ inventory, configuration }) => ({
      admitted: inventory.clusterManagementAddOns.get(addOn),
      managed: configuration.get(addOn)?.managed,
      placements: inventory.placements,
    }),
  );
  return (
    before?.admitted === after?.admitted &&
    before?.managed === after?.managed &&
    before?.placements === after?.placements
  );
}

interface LocatedStrategy {
  /** Equal for strategies with the same meaning. */
  readonly text: string;
  readonly location?: Location;
}

function strategiesOf(addOn: string, { resolution }: State): ReadonlyMap<string, LocatedStrategy> {
  const { inventory, configuration } = resolution;
  const admitted = inventory.clusterManagementAddOns.get(addOn);
  const strategies = new Map<string, LocatedStrategy>();
  if (admitted === undefined || configuration.get(addOn)?.managed !== true) return strategies;
  if (!isInstalledByPlacements(admitted.object)) return strategies;
  for (const [index, { namespace, name, rolloutStrategy }] of installPlacements(admitted.object).entries()) {
    const placement = objectKey(namespace, name);
    const { decisionStrategy } = inventory.placements.get(placement)?.object.spec ?? {};
    strategies.set(placement, {
      text: goJson({
        rolloutStrategy: asGoWrites(rolloutStrategy ?? { type: 'All' }, false),
        decisionStrategy,
      }),
      location: admitted.origin.locate(['spec', 'installStrategy', 'placements', index, 'rolloutStrategy']),
    });
  }
  return strategies;
}

/** The hash that clusters run before the hypothetical change: different content of everything that counts. */
const earlierHash = 'before the change';

/** Rolls out a hypothetical change of everything that an add-on uses, except configurations that clusters name themselves. */
function nextChange(
  name: string,
  { hub }: Pair,
  { resolution }: State,
): (placement: string) => StrategyReach {
  const { inventory, decisions, configuration } = resolution;
  const addOn = configuration.get(name);
  if (addOn === undefined) throw new Error(`add-on ${name} has strategies and no configuration`);
  const from = new Map([[name, beforeTheChange(addOn)]]);
  const input = { inventory, decisions, configuration: new Map([[name, addOn]]) };
  const rollouts = rollout(input, { now: decisions.now, hub, from }).value;
  return (placement) => reachOf(placement, addOn, rollouts);
}

function beforeTheChange({ clusters }: ResolvedAddOn): AddOnState {
  return new ConfiguredState(clusters, earlierState);
}

/** Returns a fresh state if nothing with a hash can change, because an installation is then the only possible rollout. */
function earlierState({ kinds }: EffectiveConfiguration): ClusterState {
  const references = kinds.flatMap(({ winners }) =>
    winners.map(({ level, reference }): ConfigReference =>
      level === 'cluster' || reference.specHash === '' ? reference : { ...reference, specHash: earlierHash },
    ),
  );
  if (!references.some(({ specHash }) => specHash === earlierHash)) return freshState;
  return succeeded(released(freshState, references), 0);
}

function reachOf(placement: string, addOn: ResolvedAddOn, rollouts: Rollouts): StrategyReach {
  const followed = rollouts.get(addOn.name);
  const isLed = (cluster: string): boolean => addOn.clusters.get(cluster)?.placements.at(-1) === placement;
  const left = new Set((followed?.stops ?? []).flatMap((stop) => stop.left.filter(isLed)));
  const waves = (followed?.waves ?? [])
    .map(({ after, earliest, clusters }) => ({ after, earliest, count: clusters.filter(isLed).length }))
    .filter(({ count }) => count > 0);
  return {
    clusters: addOn.clusters.ledBy(placement).size,
    waves: waves.map(({ count }) => count),
    left: left.size,
    lastWaveAfter: waves.at(-1)?.after ?? 0,
    lastWaveEarliest: waves.at(-1)?.earliest ?? 0,
  };
}
