import type { ClusterAddOn, ConfigReference, EffectiveConfiguration } from '../configure/configuration.ts';
import {
  desiredOn,
  freshState,
  isReleased,
  progressOf,
  released,
  succeeded,
  withOwnHashes,
  type ClusterState,
} from './cluster-state.ts';
import type { Progress } from './progress.ts';

/** What a state and a configuration give together. */
interface Comparison {
  readonly desired: readonly ConfigReference[];
  readonly progress: Progress;
  readonly since?: number;
  /** The state with hashes of configurations that the ManagedClusterAddOn itself names; the same where nothing changed. */
  readonly refreshed: ClusterState;
  /** The state once the hub has told the cluster what to use; the same where it knows. */
  readonly released: ClusterState;
}

/**
 * What the clusters of one add-on run while a rollout goes on. Most of them share both their state and their configuration,
 * so each pair is compared once, and what follows from it is shared again.
 */
export class SharedStates {
  readonly byCluster = new Map<string, ClusterState>();
  readonly #comparisons = new Map<ClusterState, Map<EffectiveConfiguration, Comparison>>();
  readonly #succeeded = new Map<ClusterState, { readonly now: number; readonly state: ClusterState }>();

  of(cluster: string): ClusterState {
    return this.byCluster.get(cluster) ?? freshState;
  }

  /** How far the cluster is with what it should have. */
  compare(child: ClusterAddOn): Comparison {
    const state = this.of(child.cluster);
    let known = this.#comparisons.get(state);
    if (known === undefined) this.#comparisons.set(state, (known = new Map()));
    let comparison = known.get(child.effective);
    if (comparison === undefined) known.set(child.effective, (comparison = compare(child, state)));
    return comparison;
  }

  /** The state once works are applied and available; clusters that succeed together share it. */
  succeeded(state: ClusterState, now: number): ClusterState {
    const known = this.#succeeded.get(state);
    if (known?.now === now) return known.state;
    const after = succeeded(state, now);
    this.#succeeded.set(state, { now, state: after });
    return after;
  }
}

function compare(child: ClusterAddOn, state: ClusterState): Comparison {
  const desired = desiredOn(child, state);
  return {
    desired,
    ...progressOf(state, desired),
    refreshed: withOwnHashes(state, child),
    released: isReleased(state, desired) ? state : released(state, desired),
  };
}
