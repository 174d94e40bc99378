import type {
  ClusterAddOn,
  ConfigReference,
  EffectiveConfiguration,
} from '../../configure/resolved-add-on.ts';
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
import type { Progress } from '../progress.ts';
import type { AddOnState } from './add-on-state.ts';

/** The result of comparing a state with a configuration. */
interface Comparison {
  readonly desired: readonly ConfigReference[];
  readonly progress: Progress;
  readonly since?: number;
  /**
   * The state with current hashes of configurations that the ManagedClusterAddOn itself names. The same object if nothing
   * changed.
   */
  readonly refreshed: ClusterState;
  /** The state after the hub has released the desired configuration. The same object if it is already released. */
  readonly released: ClusterState;
}

/**
 * The states of the clusters of one add-on during a rollout. Most clusters share both their state and their configuration, so
 * each pair is compared once, and the results are shared again.
 */
export class SharedStates {
  readonly #from: AddOnState;
  /** The states that differ from those at the start. */
  readonly #changed = new Map<string, ClusterState>();
  readonly #comparisons = new Map<ClusterState, Map<EffectiveConfiguration, Comparison>>();
  readonly #succeeded = new Map<ClusterState, { readonly since: number; readonly state: ClusterState }>();

  constructor(from: AddOnState) {
    this.#from = from;
  }

  of(cluster: string): ClusterState {
    return this.#changed.get(cluster) ?? this.#from.get(cluster) ?? freshState;
  }

  set(cluster: string, state: ClusterState): void {
    this.#changed.set(cluster, state);
  }

  /** Compares the state of the cluster with its desired configuration. */
  compare(child: ClusterAddOn): Comparison {
    const state = this.of(child.cluster);
    let comparisons = this.#comparisons.get(state);
    if (comparisons === undefined) this.#comparisons.set(state, (comparisons = new Map()));
    let comparison = comparisons.get(child.effective);
    if (comparison === undefined) comparisons.set(child.effective, (comparison = compare(child, state)));
    return comparison;
  }

  /**
   * Returns the state after works are applied and available. Clusters that succeed at the same time share it.
   *
   * @param since - the time from which the hub counts the success
   */
  succeeded(state: ClusterState, since: number): ClusterState {
    const successes = this.#succeeded.get(state);
    if (successes?.since === since) return successes.state;
    const after = succeeded(state, since);
    this.#succeeded.set(state, { since, state: after });
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
