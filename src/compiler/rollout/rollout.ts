import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type {
  ClusterManagementAddOnV1beta1,
  ManagedClusterAddOnV1beta1,
} from '../../../schemas/types.gen.ts';
import { AddOnClusters } from '../configure/add-on-clusters.ts';
import { requiredAddOns } from '../configure/required-add-ons.ts';
import type { Configuration, ResolvedAddOn } from '../configure/resolved-add-on.ts';
import type { Diagnostic, Outcome } from '../model/diagnostic.ts';
import { isInstalledByPlacements } from '../../ocm/install-strategy.ts';
import { isPromoted } from '../../ocm/promoted-rollout.ts';
import type { Admitted, Inventory } from '../model/inventory.ts';
import { isSameMap, Remembered, RememberedSame } from '../../base/collections/remembered.ts';
import type { Decisions } from '../place/decision.ts';
import { freshState, stateOf, type ClusterState } from './simulation/cluster-state.ts';
import { ConfiguredState } from './simulation/configured-state.ts';
import { uninstalledFrom } from './simulation/uninstalled.ts';
import { stopping, unreadable, locatedFaults } from './strategy/strategy-checks.ts';
import { SharedRollouts } from './simulation/shared-rollouts.ts';
import { rolloutGraph, type RolloutGraph } from './graph.ts';
import { moveBehindRequired } from './required-waves.ts';
import { compiledRollout } from './simulation/compiled-rollout.ts';
import { promotedRollout, withSoaks } from './simulation/promoted-rollout.ts';
import { simulateWithQuickAgents } from './simulation/quick-agents.ts';
import type { Rollout, SimulationOptions } from './simulation/simulate-rollout.ts';
import type { AddOnState } from './simulation/add-on-state.ts';

/** The input for predicting the rollouts of add-ons: one resolved state of the inputs. */
export interface RolloutInput {
  readonly inventory: Inventory;
  readonly decisions: Decisions;
  readonly configuration: Configuration;
}

export interface RolloutOptions extends Omit<SimulationOptions, 'refusing'> {
  /** The clusters whose API servers refuse the change, by add-on. @default - none */
  readonly refusals?: ReadonlyMap<string, ReadonlySet<string>>;
  /**
   * The state of the add-ons at the start of the rollout, by name.
   *
   * @default - from the statuses of the inventory's ManagedClusterAddOns
   */
  readonly from?: ReadonlyMap<string, AddOnState>;
}

/** The rollouts of all add-ons, sorted by name. */
export type Rollouts = ReadonlyMap<string, Rollout>;

const nothing: AddOnState = new ConfiguredState(
  new AddOnClusters({ individual: new Map() }),
  () => freshState,
);

const remembered = new Remembered<Rollout>();
const rememberedState = new RememberedSame<Map<string, ClusterState>>(isSameMap);
const rememberedShared = new Remembered<SharedRollouts>();

/**
 * Rolls out the configuration of every add-on that the hub manages, from the current state of its clusters to the desired state.
 * The add-ons do not wait for each other, except for compiled add-ons that require others.
 */
export function rollout(input: RolloutInput, options: RolloutOptions): Outcome<Rollouts> {
  const { inventory, decisions, configuration } = input;
  const { refusals, from = statesOf(inventory), now, hub, failing, silent, soaksSince } = options;
  const diagnostics: Diagnostic[] = [];
  const rollouts = new Map<string, Rollout>();
  // Only the rollouts of resolutions are asked for again.
  const isOfResolution = options.from === undefined;
  const shared = rememberedShared.of(
    decisions,
    [now, hub, isOfResolution],
    () => new SharedRollouts({ now, hub }),
  );
  for (const [name, addOn] of configuration) {
    const owner = isOfResolution ? addOn : undefined;
    const state = sameState(owner, from.get(name) ?? nothing);
    const graph = rolloutGraph(addOn, inventory, decisions);
    const admitted = inventory.clusterManagementAddOns.get(name);
    if (addOn.managed && admitted !== undefined && isInstalledByPlacements(admitted.object)) {
      diagnostics.push(...locatedFaults(admitted).map(stopping));
      if ('error' in graph) diagnostics.push(unreadable(graph, admitted, inventory));
    }
    const refusing = refusals?.get(name);
    const faults: SimulationOptions = {
      now,
      hub,
      ...(failing && { failing }),
      ...(silent && { silent }),
      ...(soaksSince && { soaksSince }),
      ...(refusing && { refusing }),
    };
    const simulate = (): Rollout => rolloutOf(addOn, graph, admitted, state, faults, shared);
    const inputs = [admitted, ...inputsOf(graph), state, now, hub, failing, silent, soaksSince, refusing];
    rollouts.set(name, remembered.of(owner, inputs, simulate));
  }
  moveBehindRequired(rollouts, configuration, requiredAddOns(inventory));
  return { value: rollouts, diagnostics };
}

/** Returns what a rollout takes from decisions, beside the clusters of the add-on. */
function inputsOf(graph: ReturnType<typeof rolloutGraph>): readonly unknown[] {
  if ('error' in graph) return [graph.placement, graph.error];
  return graph.nodes.flatMap(({ placement, groups, clustersPerGroup }) => [
    placement,
    groups,
    clustersPerGroup,
  ]);
}

/** Returns the state that an earlier rollout started from if it is equal. */
function sameState(owner: ResolvedAddOn | undefined, state: AddOnState): AddOnState {
  return state instanceof Map ? rememberedState.of(owner, state as Map<string, ClusterState>) : state;
}

/** Rolls out one add-on. */
function rolloutOf(
  addOn: ResolvedAddOn,
  graph: ReturnType<typeof rolloutGraph>,
  admitted: AdmittedAddOn | undefined,
  state: AddOnState,
  faults: SimulationOptions,
  shared: SharedRollouts,
): Rollout {
  const { refusing } = faults;
  const isReleasedInWaves = admitted !== undefined && isPromoted(admitted.object);
  const error = addOn.stalled ?? ('error' in graph ? graph.error : undefined);
  const simulated = (): Rollout => {
    if (!addOn.managed || error !== undefined || 'error' in graph) return standStill(addOn, state, error);
    if (addOn.delivery === 'compiled') {
      const { now, hub } = faults;
      const installation = follow(addOn, graph, nothing, { now, hub }, shared);
      const compiled = compiledRollout(addOn, installation, state, faults);
      return isReleasedInWaves ? withSoaks(compiled, graph) : compiled;
    }
    if (isReleasedInWaves && graph.nodes.length > 1) return promotedRollout(addOn, graph, state, faults);
    return follow(addOn, graph, state, faults, shared);
  };
  return refusing === undefined ? simulated() : withRefusing(simulated(), refusing);
}

type AdmittedAddOn = Admitted<ClusterManagementAddOnV1beta1>;

/** Simulates the strategies of the placements, or uses the rollout of another add-on that goes in the same waves. */
function follow(
  addOn: ResolvedAddOn,
  graph: RolloutGraph,
  state: AddOnState,
  { now, hub, failing, refusing, silent }: SimulationOptions,
  shared: SharedRollouts,
): Rollout {
  const faults = {
    ...(failing && { failing }),
    ...(refusing && { refusing }),
    ...(silent && { silent }),
  };
  const simulate = (): Rollout => simulateWithQuickAgents(addOn, graph, state, { now, hub, ...faults });
  const hasFaults = (failing?.size ?? 0) + (silent?.size ?? 0) > 0;
  return hasFaults ? simulate() : shared.of(addOn, graph, state, simulate, refusing);
}

/** Names the clusters that got the configuration and refuse the change. */
function withRefusing(rollout: Rollout, refusing: ReadonlySet<string>): Rollout {
  const reached = rollout.unready.filter((cluster) => refusing.has(cluster));
  return reached.length === 0 ? rollout : { ...rollout, refusing: reached };
}

/** Returns a rollout that configures nothing. Add-ons that are no longer selected are uninstalled anyway. */
function standStill(
  { managed, clusters }: ResolvedAddOn,
  state: AddOnState,
  error: string | undefined,
): Rollout {
  const gone = managed ? uninstalledFrom(clusters, state) : [];
  const left = [...clusters.keys()];
  return {
    waves: [],
    configures: false,
    stops: managed && error !== undefined ? [{ reason: 'error', message: error, culprits: [], left }] : [],
    unready: [],
    uninstalled: gone,
    progressions: [],
    settledAfter: 0,
    settledEarliest: 0,
    reached: managed ? statesOn(clusters.keys(), state) : state,
  };
}

function statesOn(clusters: Iterable<string>, states: AddOnState): AddOnState {
  const remaining = new Map<string, ClusterState>();
  for (const cluster of clusters) {
    const state = states.get(cluster);
    if (state !== undefined) remaining.set(cluster, state);
  }
  return remaining;
}

const statesOfObjects = new WeakMap<ManagedClusterAddOnV1beta1, ClusterState>();
const statesOfAddOns = new WeakMap<Inventory['managedClusterAddOns'], ReadonlyMap<string, AddOnState>>();

/** Returns the states of the ManagedClusterAddOns of an inventory: clusters by add-on. */
function statesOf({ managedClusterAddOns }: Inventory): ReadonlyMap<string, AddOnState> {
  return getOrInsertComputed(statesOfAddOns, managedClusterAddOns, () => {
    const addOns = new Map<string, Map<string, ClusterState>>();
    for (const { object } of managedClusterAddOns.values()) {
      const { name = '', namespace = '' } = object.metadata;
      const clusters = getOrInsertComputed(addOns, name, () => new Map<string, ClusterState>());
      clusters.set(namespace, getOrInsertComputed(statesOfObjects, object, stateOf));
    }
    return addOns;
  });
}
