import { addToGroup } from '../../collections/groups.ts';
import { getOrInsertComputed } from '../../collections/get-or-insert.ts';
import { jointClasses } from '../configure/joint-classes.ts';
import type { ClusterAddOn, EffectiveConfiguration, ResolvedAddOn } from '../configure/resolved-add-on.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import { fateOf, isCounted } from './agent.ts';
import {
  desiredOn,
  freshState,
  progressOf,
  released,
  succeeded,
  withOwnHashes,
  type ClusterState,
} from './cluster-state.ts';
import { ConfiguredState } from './configured-state.ts';
import type { RolloutGraph } from './graph.ts';
import { uninstalledFrom } from './uninstalled.ts';
import type { AddOnState, Rollout } from './simulate-rollout.ts';

/** A simulated rollout and the state that it started from. */
interface Model {
  readonly rollout: Rollout;
  readonly from: AddOnState;
}

/**
 * The rollouts of several add-ons. Those that go in the same waves are simulated once: the same placements install them by the same
 * strategies, the same clusters already have their configuration since the same time, and every other cluster becomes ready. Such
 * rollouts differ only in the configurations of the clusters.
 */
export class SharedRollouts {
  readonly #hub: HubVersion;
  readonly #models = new Map<string, Model>();

  constructor(hub: HubVersion) {
    this.#hub = hub;
  }

  /** Returns the rollout of an add-on whose agents all succeed, from one that goes in the same waves if there was one. */
  of(addOn: ResolvedAddOn, graph: RolloutGraph, from: AddOnState, simulate: () => Rollout): Rollout {
    const key = wavesKey(addOn, graph, from, this.#hub);
    if (key === undefined) return simulate();
    const model = this.#models.get(key);
    if (model !== undefined) return rolloutLike(model, addOn, from);
    const rollout = simulate();
    this.#models.set(key, { rollout, from });
    return rollout;
  }
}

/** Returns a key that is equal for rollouts in the same waves, or undefined if a rollout has to be simulated separately. */
function wavesKey(
  addOn: ResolvedAddOn,
  { nodes }: RolloutGraph,
  from: AddOnState,
  hub: HubVersion,
): string | undefined {
  const classes = new Map<ClusterState, Map<EffectiveConfiguration, string | undefined>>();
  const byClass = new Map<string, (readonly string[])[]>();
  for (const { child, state, clusters } of startsOf(addOn, from)) {
    if (child.placements.length === 0) return undefined;
    if (child.managedClusterAddOn !== undefined && !isCounted(child, hub)) return undefined;
    const ofState = getOrInsertComputed(
      classes,
      state,
      () => new Map<EffectiveConfiguration, string | undefined>(),
    );
    const startClass = getOrInsertComputed(ofState, child.effective, () => startClassOf(child, state, addOn));
    if (startClass === undefined) return undefined;
    addToGroup(byClass, startClass, clusters);
  }
  // The placements determine all clusters, so the largest class needs no names.
  const bySize = [...byClass].sort(([, a], [, b]) => sizeOf(a) - sizeOf(b));
  const largest = bySize.pop();
  const others = bySize.map(([startClass, lists]) => [startClass, lists.flat().sort()]);
  const strategies = nodes.map(({ placement, rolloutStrategy }) => [placement, rolloutStrategy ?? null]);
  return JSON.stringify([strategies, largest?.[0] ?? null, addOn.clusters.size, others]);
}

function sizeOf(lists: readonly (readonly string[])[]): number {
  return lists.reduce((sum, { length }) => sum + length, 0);
}

/** Clusters with the same configuration that start from the same state. */
interface Start {
  /** The add-on on the first of them. */
  readonly child: ClusterAddOn;
  readonly state: ClusterState;
  readonly clusters: readonly string[];
}

function startsOf({ clusters }: ResolvedAddOn, from: AddOnState): readonly Start[] {
  if (!(from instanceof ConfiguredState)) {
    const stored = new Set(from.keys());
    const startOn = (cluster: string): readonly Start[] => {
      const child = clusters.get(cluster);
      return child === undefined
        ? []
        : [{ child, state: from.get(cluster) ?? freshState, clusters: [cluster] }];
    };
    const fresh = clusters.classes.flatMap((each): readonly Start[] => {
      const starting = each.clusters.filter((cluster) => !stored.has(cluster));
      const child = clusters.get(starting[0] ?? '');
      return child === undefined ? [] : [{ child, state: freshState, clusters: starting }];
    });
    const others = new Set([...clusters.individual.keys(), ...stored]);
    return [...fresh, ...[...others].flatMap(startOn)];
  }
  return jointClasses(from.clusters, clusters).flatMap(({ before, after, clusters: starting }) =>
    after === undefined
      ? []
      : [{ child: after, state: before ? from.of(before.effective) : freshState, clusters: starting }],
  );
}

/**
 * Returns the part of the initial state of a cluster on which the waves depend. Undefined if they depend on more: for
 * configurations of the ManagedClusterAddOn itself, clusters in progress, and agents that do not succeed.
 */
function startClassOf(child: ClusterAddOn, state: ClusterState, addOn: ResolvedAddOn): string | undefined {
  if (withOwnHashes(state, child) !== state) return undefined;
  const { progress, since } = progressOf(state, desiredOn(child, state));
  if (progress === 'Succeeded') return `done ${since ?? ''}`;
  if (progress !== 'ToApply') return undefined;
  return fateOf(child.effective.references, addOn) === 'succeeds' ? 'waits' : undefined;
}

/** Returns the rollout of an add-on that goes in the same waves as another. */
function rolloutLike(
  { rollout, from: modelFrom }: Model,
  { clusters }: ResolvedAddOn,
  from: AddOnState,
): Rollout {
  const shared = new Map<ClusterState, Map<ClusterState, Map<EffectiveConfiguration, ClusterState>>>();
  const stateOn = (cluster: string): ClusterState | undefined => {
    const child = clusters.get(cluster);
    if (child === undefined) return undefined;
    const before = from.get(cluster) ?? freshState;
    const modelState = rollout.reached.get(cluster) ?? freshState;
    const isReached = modelState !== (modelFrom.get(cluster) ?? freshState);
    if (!isReached) return before;
    const ofModel = getOrInsertComputed(
      shared,
      modelState,
      () => new Map<ClusterState, Map<EffectiveConfiguration, ClusterState>>(),
    );
    const ofState = getOrInsertComputed(
      ofModel,
      before,
      () => new Map<EffectiveConfiguration, ClusterState>(),
    );
    return getOrInsertComputed(ofState, child.effective, () =>
      succeeded(released(before, desiredOn(child, before)), modelState.progressing?.since ?? 0),
    );
  };
  return {
    ...rollout,
    uninstalled: uninstalledFrom(clusters, from),
    reached: { get: stateOn, keys: () => clusters.keys() },
  };
}
